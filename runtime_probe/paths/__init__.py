"""The paths that the given inputs do not take: Dynamo is driven down them by answering reads of tensor data."""
