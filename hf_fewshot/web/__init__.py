"""What servers of ours share: requests that are bounded in size, time and form, and refused in one form; a port."""
