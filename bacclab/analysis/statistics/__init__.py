"""Small statistics without a library for them: quantiles, normal and chi-square tests, sums that are exact."""
