package dev.fallow.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real PostgreSQL on a port of its own on loopback, with one user, one password and an empty
 * database. The server refuses to run as root, so where the tests do, it runs as nobody.
 */
public final class RigPostgres implements AutoCloseable {
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final String USER = "fallow";
  private static final String PASSWORD = "s3cret-of-the-rig";

  private final RigFolder folder;
  private final Path programs;
  private final RigProcess process;

  private RigPostgres(RigFolder folder, Path programs) {
    this.folder = folder;
    this.programs = programs;
    this.process =
        new RigProcess(
            "postgres", folder.log("postgres"), this::serverCommand, this::answersOnPort);
  }

  /** Makes a new database cluster, starts its server and waits until it answers. */
  public static RigPostgres start() {
    Path programs = programs();
    RigPostgres postgres = new RigPostgres(new RigFolder("fallow-postgres-"), programs);
    try {
      postgres.initialise();
      postgres.process.start();
      return postgres;
    } catch (RuntimeException e) {
      postgres.folder.keep();
      postgres.close();
      throw e;
    }
  }

  private static Path programs() {
    if (Files.isDirectory(DEBIAN)) {
      try (Stream<Path> versions = Files.list(DEBIAN)) {
        return versions
            .map(version -> version.resolve("bin"))
            .filter(programs -> Files.isExecutable(programs.resolve("initdb")))
            .max(Comparator.naturalOrder())
            .orElseThrow(() -> new RigException("PostgreSQL is missing; run: make rig"));
      } catch (IOException e) {
        throw new RigException("cannot look for PostgreSQL in " + DEBIAN, e);
      }
    }
    throw new RigException("PostgreSQL is missing; run: make rig");
  }

  private void initialise() {
    Path password = folder.write("password", PASSWORD);
    if (isRoot()) {
      ShortCommand.run(List.of("chown", "-R", "nobody:nogroup", folder.path().toString()));
    }
    ShortCommand.run(
        asNobody(
            program("initdb"),
            "--pgdata=" + folder.file("data"),
            "--username=" + USER,
            "--pwfile=" + password,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync"));
  }

  private List<String> serverCommand(int port) {
    return asNobody(
        program("postgres"),
        "-D",
        folder.file("data").toString(),
        "-p",
        Integer.toString(port),
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
        "-c",
        "dynamic_shared_memory_type=mmap");
  }

  private boolean answersOnPort(int port) {
    try {
      ShortCommand.run(
          List.of(program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", Integer.toString(port)));
      return true;
    } catch (RigException e) {
      return false;
    }
  }

  private String program(String name) {
    return programs.resolve(name).toString();
  }

  /** As a program that replaces itself, so that the process we hold is the server. */
  private static List<String> asNobody(String... command) {
    List<String> whole = new ArrayList<>();
    if (isRoot()) {
      whole.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"));
    }
    whole.addAll(List.of(command));
    return whole;
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** The address of its database, with user and password. */
  public String address() {
    return addressWith(PASSWORD);
  }

  /** The same with another password. */
  public String addressWith(String password) {
    return "postgresql://%s:%s@127.0.0.1:%d/postgres".formatted(USER, password, process.port());
  }

  public String user() {
    return USER;
  }

  public String password() {
    return PASSWORD;
  }

  /** The server, to stop, kill, freeze or start again. */
  public RigProcess process() {
    return process;
  }

  @Override
  public void close() {
    if (process.died()) {
      folder.keep();
      System.err.println("PostgreSQL died on its own\n" + folder.report());
    }
    if (process.running()) {
      // Asked by SIGTERM it would wait for its clients first.
      ShortCommand.run(List.of("kill", "-INT", Long.toString(process.pid())));
    }
    process.stop();
    folder.release();
  }
}
