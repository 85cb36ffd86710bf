package dev.fallow.app.log;

import dev.fallow.app.settings.LogFormat;
import java.io.PrintStream;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What a process that runs on says about itself: a message that is always the same, and its
 * particulars as names and values, {@code Log.info("cycle", "workloads", 12, "idle", 3)}. The
 * libraries' records come out in the same form. Commands that answer and end do not log, and never
 * load any of this.
 */
public final class Log {

  private static final Logger LOGGER = Logger.getLogger("fallow");

  private Log() {}

  /** For a command that answers and ends: what its libraries say meanwhile is no answer. */
  public static void quiet() {
    LogManager.getLogManager().reset();
  }

  /**
   * From now on everything from this level up goes to the stream, and nowhere else.
   *
   * @param libraries from which level up their records are shown
   */
  public static void start(LogFormat format, Level own, Level libraries, PrintStream err) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(libraries);
    LOGGER.setLevel(own);
    root.addHandler(new Lines(new LogFormatter(format), err));
  }

  public static void debug(String message, @Nullable Object... namesAndValues) {
    log(Level.FINE, null, message, namesAndValues);
  }

  public static void info(String message, @Nullable Object... namesAndValues) {
    log(Level.INFO, null, message, namesAndValues);
  }

  public static void warn(String message, @Nullable Object... namesAndValues) {
    log(Level.WARNING, null, message, namesAndValues);
  }

  public static void error(
      String message, @Nullable Throwable thrown, @Nullable Object... namesAndValues) {
    log(Level.SEVERE, thrown, message, namesAndValues);
  }

  private static void log(
      Level level, @Nullable Throwable thrown, String message, @Nullable Object... namesAndValues) {
    if (!LOGGER.isLoggable(level)) {
      return;
    }
    LogRecord record = new LogRecord(level, message);
    record.setLoggerName(LOGGER.getName());
    record.setParameters(new Object[] {LogFields.of(namesAndValues)});
    record.setThrown(thrown);
    LOGGER.log(record);
  }

  /** Each record at once, so that the last words of a process are not lost. */
  private static final class Lines extends Handler {

    private final PrintStream err;

    Lines(LogFormatter formatter, PrintStream err) {
      this.err = err;
      setFormatter(formatter);
    }

    @Override
    public synchronized void publish(LogRecord record) {
      err.print(getFormatter().format(record));
      err.flush();
    }

    @Override
    public void flush() {
      err.flush();
    }

    @Override
    public void close() {
      err.flush();
    }
  }
}
