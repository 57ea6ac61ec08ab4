#!/bin/sh
# The role of the servers: it neither owns the tables nor may look past the rows of an organisation.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /secrets/server-password)" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE unrut_server NOLOGIN;
CREATE ROLE unrut_app LOGIN PASSWORD :'password' IN ROLE unrut_server;
SQL
