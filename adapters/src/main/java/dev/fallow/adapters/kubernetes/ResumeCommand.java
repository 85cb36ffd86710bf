package dev.fallow.adapters.kubernetes;

import java.util.Map;

/** The one kubectl command that undoes a pause exactly, for whoever has nothing but kubectl. */
final class ResumeCommand {

  private ResumeCommand() {}

  static String of(PausePlace place, Map<String, Object> turnOn) {
    Map<String, Object> patch =
        place.recordIsBeside() ? turnOn : PauseRecord.on(turnOn, PauseRecord.none());
    return "kubectl -n "
        + place.target().textOr("", "metadata", "namespace")
        + " patch "
        + place.kind().resource()
        + " "
        + place.target().textOr("", "metadata", "name")
        + " --type merge -p "
        + quoted(Json.write(patch));
  }

  /** For a shell: nothing inside single quotes means anything but the quote itself. */
  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
