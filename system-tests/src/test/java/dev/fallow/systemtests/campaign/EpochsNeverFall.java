package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * I6: a leader writes nothing more once its successor has begun: epochs of intents, and of the
 * pauses that follow from them, never fall in the order of revisions.
 */
record EpochsNeverFall() implements Invariant {
  /** An epoch begins with the number of the term; whose it was may follow. */
  private static final Pattern TERM = Pattern.compile("[0-9]{1,18}");

  @Override
  public String name() {
    return "I6";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    long highest = Long.MIN_VALUE;
    @Nullable Step by = null;
    for (Step step : story.ours()) {
      if (story.tookBack(step)) {
        continue;
      }
      Json intent = intentBehind(step, story);
      Matcher term = TERM.matcher(intent.at("epoch").text());
      if (term.lookingAt()) {
        long epoch = Long.parseLong(term.group());
        if (by != null && epoch < highest) {
          violations.add(
              violation(
                  step.object(),
                  "a write of epoch %d after one of epoch %d".formatted(epoch, highest),
                  by,
                  step));
        }
        if (epoch > highest) {
          highest = epoch;
          by = step;
        }
      }
    }
    return violations;
  }

  /** Of an intent that is set, itself; of a pause, the intent that it carries out. */
  private static Json intentBehind(Step step, Story story) {
    if (!PauseField.of(step.object()).isLoweredBy(step)) {
      return Story.parsed(Marks.annotation(step.write().request(), Marks.INTENT).text());
    }
    String own = Marks.annotation(step.before(), Marks.INTENT).text();
    return Story.parsed(own.isEmpty() ? intentApart(step, story) : own);
  }

  /** Where the object that is lowered is not the one that is marked. */
  private static String intentApart(Step lowering, Story story) {
    Optional<Json> marked =
        Marks.areKeptBeside(lowering.object())
            ? Marks.carrier(lowering, story.history())
            : story
                .evidence()
                .truth()
                .behind(lowering.object())
                .flatMap(workload ->
                    story.history().stateAt(workload.object(), lowering.write().revision()));
    return marked.map(object -> Marks.annotation(object, Marks.INTENT).text()).orElse("");
  }
}
