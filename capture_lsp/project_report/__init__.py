"""The report on a project: one page with what the analysis and the probe say of it, for a team."""
