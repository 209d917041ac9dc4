"""Gives answers to the prompts of a home. The answers differ as much as possible."""

# The answers to prompts of one home, in order.
ANSWERS = {"walk": [["ack"], ["undo"], ["decline", "--reason", "busy"]], "juice": [["delay", "10m"]],
           "eyes": [["done"], ["undo"]], "call": [["cancel"]], "water": [["presented"], ["delay"], ["undo"], ["done"]]}


def give(home, until, canary):
    """Gives each kind of answer, takes some back, and changes an alarm with a planned prompt."""
    home.ask("study", "crossover", "anna", "--days", "7", "--order", "AB")
    home.ask("add", f"{canary} herbs", "--schedule", "every day 08:00", "--person", "anna")
    # The second edit gives the alarm its first schedule again. Its first prompt is therefore planned again.
    for time in ("09:00", "08:00"):
        home.ask("edit", f"{canary} herbs", "--schedule", f"every day {time}")
    for task in ANSWERS:
        home.ask("add", f"{canary} {task}", "--schedule", "in 1 second", "--person", "anna", "--spacing", "2s",
                 "--rings", "2")
    for task, answers in ANSWERS.items():
        def prompt(task=task):
            return next(p for p in home.json("prompts")["prompts"] if task in p["label"])
        until(f"{task} is due", 60, lambda prompt=prompt: prompt()["state"] != "planned")
        for answer in answers:
            home.ask(answer[0], prompt()["id"], *answer[1:])
