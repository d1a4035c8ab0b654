"""A small image captioner: an encoder, a recurrent decoder, its losses and its training script."""
