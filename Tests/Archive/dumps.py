"""Makes a backup of the database, and restores it on a server that has neither the database nor its roles. The commands are
the commands of FLEET.md."""

import subprocess

from homes import HOST, WORK, psql, tool

ROLES = ["archive_server", "analyst", "limited", "auditor", "prompter_archive", "prompter_analyst", "prompter_limited",
         "prompter_auditor"]


def run(*command, **options):
    result = subprocess.run([command[0], "-h", HOST, "-U", "postgres", *command[1:]], capture_output=True, text=True, **options)
    assert result.returncode == 0, (command, result.stderr)
    return result.stdout


def check(home, server):
    heads = tool("heads")
    revoked = psql("SELECT home, state FROM prompter.homes ORDER BY home")
    with open(f"{WORK}/roles.sql", "w", encoding="utf-8") as file:
        file.write(run("pg_dumpall", "--roles-only"))
    run("pg_dump", "--format=custom", f"--file={WORK}/prompter.dump", "prompter")
    server.kill()
    run("dropdb", "prompter")
    for role in ROLES:
        psql(f"DROP ROLE {role}", database="postgres")
    # The role "postgres" exists on each server, so the file reports one error.
    run("psql", "-q", "-f", f"{WORK}/roles.sql", "postgres")
    run("createdb", "--template=template0", "--encoding=UTF8", "--locale=C.UTF-8", "prompter")
    run("pg_restore", "--exit-on-error", "--dbname=prompter", f"{WORK}/prompter.dump")
    assert "already" in tool("migrate")
    assert tool("heads") == heads
    assert psql("SELECT home, state FROM prompter.homes ORDER BY home") == revoked
    server.start()
    home.chain.add(20, home.random)
    home.catch_up()
    home.check()
    # The restore must also restore the rights of the roles.
    psql("SELECT count(*) FROM prompter.safe_harbor", user="analyst")
    psql("SELECT count(*) FROM prompter.events", user="analyst", is_refused=True)
    psql("DELETE FROM prompter.events", user="archive_server", is_refused=True)
