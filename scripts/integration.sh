#!/usr/bin/env bash
# Runs the engines' contract suites against the real things: DuckDB with and
# without its vss extension, a Chroma server and a Neo4j server, which it
# fetches from the package registries, starts, and stops again. It needs Go, a
# C compiler, Python 3 with venv, and Java 17 or later with Maven. What it
# fetches is kept in bin/integration. When something is missing it fails: it
# never passes by skipping.
set -euo pipefail
cd "$(dirname "$0")/.."

chroma_version=1.5.9
neo4j_version=5.26.12
vss_version=1.5.5 # of the DuckDB that github.com/duckdb/duckdb-go/v2 v2.10505.0 contains

fail() { echo "integration: $*" >&2; exit 1; }
step() { printf '\n### %s (%ss)\n' "$1" "$SECONDS"; }
for program in go gcc python3 java mvn; do
  command -v "$program" >/dev/null || fail "$program is missing; see CONTRIBUTING.md"
done

kept=$PWD/bin/integration
mkdir -p "$kept"
work=$(mktemp -d)
chroma_pid='' neo4j_pid=''
stop() {
  # Closing its input is how the Neo4j server is told to stop.
  exec 3>&- || true
  for pid in $chroma_pid $neo4j_pid; do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap stop EXIT

step 'fetch'
venv=$kept/chroma-$chroma_version-$vss_version
if ! [ -e "$venv/complete" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv" || fail 'python3 has no venv; install python3-venv'
  "$venv/bin/pip" install -q "chromadb==$chroma_version" "duckdb-extension-vss==$vss_version" || fail 'Chroma cannot be fetched from PyPI'
  touch "$venv/complete"
fi
vss=$(find "$venv" -name vss.duckdb_extension -print -quit)
[ -n "$vss" ] || fail 'the package duckdb-extension-vss holds no extension'
jars=$kept/neo4j-$neo4j_version
if ! [ -e "$jars/complete" ]; then
  rm -rf "$jars"
  cat >"$work/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>moothall</groupId><artifactId>integration</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>$neo4j_version</version></dependency>
  </dependencies>
</project>
POM
  mvn -q -B -f "$work/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$jars" || fail 'Neo4j cannot be fetched from Maven Central'
  touch "$jars/complete"
fi

step 'start servers'
ports=$(python3 -c 'import socket
two = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(s.getsockname()[1] for s in two))')
read -r chroma_port neo4j_port <<<"$ports"
"$venv/bin/chroma" run --path "$work/chroma" --host 127.0.0.1 --port "$chroma_port" >"$work/chroma.log" 2>&1 &
chroma_pid=$!
# The community edition with Bolt only. The registry has no server to start but
# the libraries that it is made of.
cat >"$work/Serve.java" <<'JAVA'
import java.nio.file.Path;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

public final class Serve {
    public static void main(String[] args) throws Exception {
        var address = new SocketAddress("127.0.0.1", Integer.parseInt(args[1]));
        var server = new DatabaseManagementServiceBuilder(Path.of(args[0]))
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, address)
                .setConfig(BoltConnector.advertised_address, address)
                .setConfig(GraphDatabaseSettings.auth_enabled, true)
                .setConfig(GraphDatabaseSettings.pagecache_memory, 64L << 20)
                .build();
        server.database("system").executeTransactionally(
                "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", args[2]));
        System.out.println("ready");
        while (System.in.read() >= 0) { }
        server.shutdown();
    }
}
JAVA
password=$(python3 -c 'import secrets; print(secrets.token_hex(16))')
mkfifo "$work/input"
java -Xmx768m --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED -cp "$jars/*" \
  "$work/Serve.java" "$work/neo4j" "$neo4j_port" "$password" <"$work/input" >"$work/neo4j.log" 2>&1 &
neo4j_pid=$!
exec 3>"$work/input"

await() { # name, pid, log, a command that succeeds when it is ready
  for _ in $(seq 600); do
    if "${@:4}" >/dev/null 2>&1; then return; fi
    kill -0 "$2" 2>/dev/null || { cat "$3" >&2; fail "the $1 server ended"; }
    sleep 0.2
  done
  cat "$3" >&2
  fail "the $1 server does not get ready"
}
await Neo4j "$neo4j_pid" "$work/neo4j.log" grep -q '^ready' "$work/neo4j.log"
await Chroma "$chroma_pid" "$work/chroma.log" python3 -c "import urllib.request
urllib.request.build_opener(urllib.request.ProxyHandler({})).open('http://127.0.0.1:$chroma_port/api/v2/heartbeat', timeout=2)"

export MOOTHALL_TEST_NEO4J=bolt://127.0.0.1:$neo4j_port MOOTHALL_TEST_NEO4J_PASSWORD=$password
export MOOTHALL_TEST_CHROMA=http://127.0.0.1:$chroma_port MOOTHALL_TEST_CHROMA_PROGRAM=$venv/bin/chroma

step "Neo4j $neo4j_version"
go test -count=1 -tags integration ./internal/graph/neo4j
step "Chroma $chroma_version"
go test -count=1 -tags integration ./internal/memory/chroma
step 'DuckDB, exact'
CGO_ENABLED=1 go test -count=1 -tags duckdb ./internal/memory/duckdb
step 'DuckDB, with vss'
MOOTHALL_TEST_VSS=$vss CGO_ENABLED=1 go test -count=1 -tags duckdb ./internal/memory/duckdb
step 'done'
