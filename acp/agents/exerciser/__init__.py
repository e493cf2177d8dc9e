"""The Exerciser: a well-behaved agent with one command for each feature of the protocol, for testing clients."""
