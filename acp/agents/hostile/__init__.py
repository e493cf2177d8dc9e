"""The hostile agent: misbehaves on demand, one way at a time, as real agents do; for testing clients."""
