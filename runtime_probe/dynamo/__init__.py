"""TorchDynamo as a witness: what it captured, where it broke, what its graphs hold good for."""
