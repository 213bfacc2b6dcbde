"""Counts and money in words."""


def count(number: int, one: str, many: str | None = None) -> str:
    """«1 message», «1,204 messages»; the plural is `one` with an s unless given."""
    return f"{thousands(number)} {one if number == 1 else many or one + 's'}"


def thousands(number: int) -> str:
    """«1,204»."""
    return f"{number:,}"


def dollars(amount: float) -> str:
    """«$0.00», «$0.0042», «$12.50»: small amounts keep enough digits not to look like nothing."""
    if 0 < amount < 0.01:
        return f"${amount:.4f}"
    return f"${amount:,.2f}"
