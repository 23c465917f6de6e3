"""The ground floor: what every room shares and no user sees."""
