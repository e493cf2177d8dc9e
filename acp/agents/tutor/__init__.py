"""The Tutor: an agent without network and model that teaches the agent window by being one."""
