package dev.fallow.adapters.prometheus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Replies as a server may write them, and now and then as none does. */
final class RandomReply {

  private static final String[] STATUSES = {"\"success\"", "\"success\"", "\"error\"", "null", "1"};

  /** None with half of a surrogate pair: the library refuses it in a name and not in a value. */
  private static final String[] NAMES = {"pod", "namespace", "UUID", "gpu", "n\\u0061me", "é", ""};

  private static final String[] TEXTS = {
    "a",
    "gpu-node-7",
    "\\\"",
    "\\\\",
    "\\/\\b\\f\\n\\r\\t",
    "\\u0000",
    "\\u00e9",
    "é",
    "漢字",
    "🚀",
    "\\uD83D\\uDE80",
    "\\uD83D",
    "\\uDE80x",
    "\\uD83D\\uD83D\\uDE80",
    "\\uD83D\\n",
    " ",
    "\u007f"
  };
  private static final String[] VALUES = {
    "0",
    "0",
    "0",
    "1",
    "100",
    "0.25",
    "0.860123",
    "0.41012299999999996",
    "12345678901234567890",
    "9007199254740993",
    "123456789012345678",
    "0.000000000000000001",
    "-0",
    "-17.5",
    "1e-05",
    "1E9",
    "NaN",
    "+Inf",
    "-Inf",
    "Inf",
    "1e400",
    "",
    "banana",
    "1.",
    ".5",
    "1.2.3",
    "0x10",
    "007",
    "\\u0031"
  };
  private static final String[] OTHERS = {
    "null",
    "true",
    "false",
    "0",
    "-1.5e+10",
    "{}",
    "[]",
    "[[],{\"a\":[1]}]",
    "\"text\"",
    "{\"metric\":1,\"values\":2}"
  };

  private final Random random;
  private final long now;

  /**
   * @param now about which the samples lie, in seconds
   */
  RandomReply(Random random, long now) {
    this.random = random;
    this.now = now;
  }

  String next() {
    List<String> members = new ArrayList<>();
    members.add("\"status\":" + (often() ? STATUSES[0] : one(STATUSES)));
    members.add("\"data\":" + (often() ? data() : one(OTHERS)));
    sometimes(members, () -> "\"warnings\":" + (random.nextBoolean() ? list(this::text) : other()));
    sometimes(members, () -> "\"isPartial\":" + other());
    sometimes(members, () -> "\"error\":" + other());
    sometimes(members, () -> "\"" + one(NAMES) + "\":" + other());
    if (random.nextInt(200) == 0) {
      members.add("\"long\":\"" + "0123456789é".repeat(random.nextInt(10_000)) + "\"");
    }
    return blank() + object(members) + blank();
  }

  private String data() {
    List<String> members = new ArrayList<>();
    members.add("\"resultType\":" + (often() ? "\"matrix\"" : other()));
    members.add("\"result\":" + (often() ? list(() -> often() ? series() : other()) : other()));
    sometimes(members, () -> "\"stats\":" + other());
    return object(members);
  }

  private String series() {
    List<String> members = new ArrayList<>();
    members.add("\"metric\":" + labels());
    members.add("\"values\":" + list(this::sample));
    sometimes(members, () -> "\"values\":" + list(this::sample));
    sometimes(members, () -> "\"histograms\":" + other());
    sometimes(members, () -> "\"value\":" + other());
    return object(members);
  }

  private String labels() {
    List<String> members = new ArrayList<>();
    members.add("\"__name__\":" + text());
    for (int i = random.nextInt(6); i > 0; i--) {
      members.add("\"" + one(NAMES) + "\"" + blank() + ":" + blank() + label());
    }
    return object(members);
  }

  private String label() {
    return random.nextInt(200) == 0 ? other() : text();
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(one(TEXTS));
    }
    return "\"" + text + "\"";
  }

  private String sample() {
    if (random.nextInt(300) == 0) {
      return other();
    }
    String value = often() ? "\"" + one(VALUES) + "\"" : number();
    return often()
        ? "[" + time() + "," + value + "]"
        : "[" + blank() + time() + blank() + "," + blank() + value + blank() + "]";
  }

  private String time() {
    long seconds = now - random.nextInt(4000);
    return switch (random.nextInt(12)) {
      case 0 -> "" + seconds;
      case 1 -> seconds + "." + random.nextInt(10);
      case 2 -> seconds + "." + random.nextInt(100_000);
      case 3 -> "\"" + seconds + ".5\"";
      case 4 -> seconds / 10 + "." + seconds % 10 + "e1";
      case 5 -> number();
      default -> seconds + ".%03d".formatted(random.nextInt(1000));
    };
  }

  private String number() {
    return switch (random.nextInt(4)) {
      case 0 -> "" + random.nextLong();
      case 1 -> "" + random.nextInt(100);
      case 2 -> "" + random.nextDouble();
      default -> "1e" + (random.nextInt(40) - 20);
    };
  }

  private String other() {
    return one(OTHERS);
  }

  private String list(Supplier<String> element) {
    StringBuilder list = new StringBuilder("[").append(blank());
    for (int i = random.nextInt(8); i > 0; i--) {
      list.append(element.get()).append(blank()).append(i > 1 ? "," : "").append(blank());
    }
    return list.append("]").toString();
  }

  private String object(List<String> members) {
    Collections.shuffle(members, random);
    return "{" + blank() + String.join(blank() + "," + blank(), members) + blank() + "}";
  }

  private void sometimes(List<String> members, Supplier<String> member) {
    if (!often()) {
      members.add(member.get());
    }
  }

  private String blank() {
    return often() ? "" : one(" ", "\n", "\t\r", "  ");
  }

  private boolean often() {
    return random.nextInt(10) > 0;
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }
}
