// Gate
