"""The app: runs of a folder in the browser, chosen, compared, started and watched.

It needs the extra `dashboard` (Dash). Only `server` and the modules of callbacks and layout load it, so what the app
does with folders, frames and processes can be used and tested without.
"""
