package dev.fallow.app;

import dev.fallow.app.output.Style;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Where the program speaks: data to one stream, everything else to the other.
 *
 * @param coloured whether the data goes to a terminal that wants colour
 * @param watched whether somebody sees what is said beside the data as it is said
 */
public record Console(
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean coloured,
    boolean watched) {

  private static final String START_OF_LINE = "\r\u001b[K";

  public static Console ofProcess() {
    Map<String, String> environment = System.getenv();
    // The launcher knows whether the streams are terminals; a JVM has no cheap way to ask.
    boolean terminal = "true".equals(System.getProperty("fallow.terminal"));
    return new Console(
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        environment,
        Style.allowed(environment, terminal),
        "true".equals(System.getProperty("fallow.watched")));
  }

  /** What is being done, on a line that the next one takes the place of. */
  public void progress(String doing) {
    if (watched) {
      err.print(START_OF_LINE + doing + " …");
      err.flush();
    }
  }

  /** Takes the line of progress away. */
  public void progressDone() {
    if (watched) {
      err.print(START_OF_LINE);
      err.flush();
    }
  }

  /** A message for people. */
  public void say(String message) {
    progressDone();
    err.println("fallow: " + Style.visible(message));
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor), 1 << 16),
        false,
        StandardCharsets.UTF_8);
  }

  public void flush() {
    out.flush();
    err.flush();
  }
}
