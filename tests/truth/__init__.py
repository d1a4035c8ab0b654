"""What real PyTorch does with a program: the judge behind the rules' examples."""
