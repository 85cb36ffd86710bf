package dev.fallow.adapters.casefolder;

import static dev.fallow.adapters.casefolder.BadCases.Outcome.IDLE;
import static dev.fallow.adapters.casefolder.BadCases.Outcome.NOT_IDLE;
import static dev.fallow.adapters.casefolder.BadCases.Outcome.REFUSED;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Folders that somebody got wrong, by accident or on purpose, and what becomes of each. */
final class BadCases {

  /** What a folder comes to. IDLE is for what is odd and harmless. */
  enum Outcome {
    REFUSED,
    NOT_IDLE,
    IDLE
  }

  record BadCase(String name, Outcome outcome, byte[] head, byte[] objects, byte[] samples) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final byte[] BINARY = {0, 1, 2, (byte) 0xff, (byte) 0xfe, 'a', 0};
  private static final String GOOD_SAMPLES = GoodCase.samples();
  private static final String LONG_NAME = "n".repeat(253);

  private final List<BadCase> all = new ArrayList<>();

  static List<BadCase> all() {
    BadCases table = new BadCases();
    table.heads();
    table.documents();
    table.objects();
    table.pods();
    table.texts();
    table.values();
    return table.all;
  }

  private void heads() {
    head("an empty case.yaml", REFUSED, "");
    head("two documents", REFUSED, GoodCase.CASE + "---\n" + GoodCase.CASE);
    head("a document that is a list", REFUSED, "- at\n");
    head("no moment", REFUSED, "settings: {duration: 30}\n");
    head("a moment that is none", REFUSED, "at: yesterday\n");
    head("a moment without an offset", REFUSED, "at: 2026-11-02T12:00:00\n");
    head("the 31st of February", REFUSED, "at: 2026-02-31T12:00:00Z\n");
    head("a year of nine digits", REFUSED, "at: +999999999-12-31T23:59:59Z\n");
    head("a year before all years", REFUSED, "at: -999999999-01-01T00:00:00Z\n");
    head("a moment that is a list", REFUSED, "at: [2026-11-02T12:00:00Z]\n");
    head("an unknown key", REFUSED, GoodCase.CASE + "atx: 1\n");
    head("a key twice", REFUSED, GoodCase.CASE + GoodCase.CASE);
    head("tabs", REFUSED, "at:\t2026-11-02T12:00:00Z\n\tsettings: {}\n");
    head("settings that are text", REFUSED, GoodCase.CASE + "settings: banana\n");
    head("a setting that is a mapping", REFUSED, GoodCase.CASE + "settings: {a: {b: c}}\n");
    head("a setting that is null", REFUSED, GoodCase.CASE + "settings: {duration: }\n");
    head("a list that holds itself", REFUSED, GoodCase.CASE + "settings: {a: &a [[*a]]}\n");
    head("a bomb of lists", REFUSED, GoodCase.CASE + "settings: {z: " + bomb(24, 2) + "}\n");
    head("expectations that are text", REFUSED, GoodCase.CASE + "expect: banana\n");
    head("an expectation that is text", REFUSED, GoodCase.CASE + "expect: [banana]\n");
    head("an expectation of nothing", REFUSED, GoodCase.CASE + "expect: [{verdict: IDLE}]\n");
    head("a NUL", REFUSED, "at: \u00002026-11-02T12:00:00Z\n");
    head("a hundred thousand brackets", REFUSED, GoodCase.CASE + "x: " + "[".repeat(100_000));
    add("a binary case.yaml", REFUSED, BINARY, bytes(GoodCase.OBJECTS), bytes(GOOD_SAMPLES));
  }

  private void documents() {
    objects("tabs in objects", REFUSED, GoodCase.OBJECTS + "---\n\tkind: Pod\n");
    objects(
        "a key of an object twice", REFUSED, GoodCase.OBJECTS.replace("spec:", "kind: X\nspec:"));
    objects("a bomb of objects", REFUSED, GoodCase.OBJECTS + "---\nkind: " + bomb(9, 9) + "\n");
    objects("a Java class as a tag", REFUSED, "--- !!javax.script.ScriptEngineManager {}\n");
    objects("objects that are text", REFUSED, "hello\n");
    objects("a list of text", REFUSED, GoodCase.OBJECTS + "---\nkind: List\nitems: [a, b]\n");
    objects("a list that is text", REFUSED, GoodCase.OBJECTS + "---\nkind: List\nitems: a\n");
    objects("a list that is null", IDLE, GoodCase.OBJECTS + "---\nkind: List\nitems:\n");
    objects("an object without a kind", REFUSED, "metadata: {name: a}\n");
    objects("an object without a name", REFUSED, "kind: Pod\nmetadata: {}\n");
    objects("metadata that is a list", REFUSED, "kind: Pod\nmetadata: [a]\n");
    objects("ten thousand maps in each other", REFUSED, "kind: " + "{a: ".repeat(10_000));
    objects("no objects at all", NOT_IDLE, "");
    add("binary objects", REFUSED, bytes(GoodCase.CASE), BINARY, bytes(GOOD_SAMPLES));
  }

  private void objects() {
    pod(
        "owners that are text",
        REFUSED,
        "  ownerReferences:\n  - {",
        "  ownerReferences: a\n  x:\n  - {");
    pod(
        "an owner that is text",
        REFUSED,
        "  - {apiVersion: apps/v1",
        "  - a\n  - {apiVersion: apps/v1");
    replicas("replicas that are a fruit", "banana");
    replicas("negative replicas", "-1");
    replicas("replicas of 2^63", "9223372036854775808");
    replicas("replicas that are a list", "[1]");
    objects(
        "an annotation of 256 KiB",
        IDLE,
        GoodCase.OBJECTS.replace(
            "name: trainer,", "name: trainer, annotations: {a: " + "x".repeat(1 << 18) + "},"));
    objects(
        "a name of another alphabet", NOT_IDLE, GoodCase.OBJECTS.replace("trainer-x", "тренер-x"));
    everywhere("a name of another alphabet everywhere", "trainer-x", "тренер-x");
    everywhere("a name of 253 letters", "trainer-x", LONG_NAME);
    everywhere("a namespace of 63 letters", "ml", "m".repeat(63));
    objects(
        "an owner that owns itself",
        IDLE,
        GoodCase.OBJECTS.replace(
            "kind: Deployment, name: trainer, uid: u1",
            "kind: ReplicaSet, name: trainer-5d4f, uid: u2"));
    objects("the same pod twice", IDLE, GoodCase.OBJECTS + "---\n" + GoodCase.POD);
  }

  private void pods() {
    objects("a pod without a status", NOT_IDLE, withoutStatus(GoodCase.OBJECTS));
    objects("a status that is text", NOT_IDLE, withoutStatus(GoodCase.OBJECTS) + "status: fine\n");
    objects("a status of null", NOT_IDLE, withoutStatus(GoodCase.OBJECTS) + "status: ~\n");
    pod("moments that are none", NOT_IDLE, "2026-11-02T08:0", "2026-13-02T08:0");
    pod("a pod of the year 999999999", NOT_IDLE, "\"2026-11-02T08:0", "\"+999999999-11-02T08:0");
    pod("a pod of the future", NOT_IDLE, "2026-11-02T08:0", "2036-11-02T08:0");
    pod("a phase that nobody knows", IDLE, "phase: Running", "phase: Dancing");
    pod("a deletion at no moment", NOT_IDLE, "  uid: u3", "  uid: u3\n  deletionTimestamp: soon");
    pod(
        "containers that are text",
        NOT_IDLE,
        "containers:\n  - name: main\n    r",
        "containers: a\n  r");
    pod("a container that is a number", IDLE, "  containers:\n", "  containers:\n  - 7\n");
    for (String count : List.of("-1", "banana", "1.5", "\"\"", "[1]", "1e400", "2Gi")) {
      pod("a GPU count of " + count, NOT_IDLE, "nvidia.com/gpu: \"1\"", "nvidia.com/gpu: " + count);
    }
    for (String count : List.of("1e0", "+1", "\"1.0\"", "1000m", "0.001k")) {
      pod("one GPU as " + count, IDLE, "nvidia.com/gpu: \"1\"", "nvidia.com/gpu: " + count);
    }
    for (String count : List.of("999999999", "2", "999999k", "9223372036854775808", "2e0")) {
      pod(
          "more GPUs than show: " + count,
          NOT_IDLE,
          "nvidia.com/gpu: \"1\"",
          "nvidia.com/gpu: " + count);
    }
    pod("a pod on no node", NOT_IDLE, "  nodeName: gpu-1\n", "");
    pod("a node that is a mapping", NOT_IDLE, "nodeName: gpu-1", "nodeName: {a: b}");
  }

  private void texts() {
    samples("an empty samples.om", REFUSED, "");
    samples("no end mark", REFUSED, GoodCase.samples(GoodCase.SERIES));
    samples("an end mark in the middle", REFUSED, GOOD_SAMPLES + GOOD_SAMPLES);
    samples("nothing but the end mark", NOT_IDLE, "# EOF\n");
    samples("a web page", REFUSED, "<html><body>log in</body></html>\n# EOF\n");
    samples("a label without an end", REFUSED, "DCGM_FI_DEV_GPU_UTIL{UUID=\"a 0 1\n# EOF\n");
    samples("a label twice", REFUSED, "DCGM_FI_DEV_GPU_UTIL{a=\"b\",a=\"c\"} 0 1\n# EOF\n");
    samples("a line without a value", REFUSED, GoodCase.SERIES + "\n# EOF\n");
    samples("samples without times", REFUSED, GoodCase.SERIES + " 0\n# EOF\n");
    samples("a line of 2 MiB", REFUSED, "# a\na{b=\"" + "x".repeat(2 << 20) + "\"} 0 1\n# EOF\n");
    samples("a NUL in a label", NOT_IDLE, GOOD_SAMPLES.replace("trainer-x", "trainer-x\u0000"));
    samples("lines that end as on Windows", IDLE, GOOD_SAMPLES.replace("\n", "\r\n"));
    add("a binary samples.om", REFUSED, bytes(GoodCase.CASE), bytes(GoodCase.OBJECTS), BINARY);
    add(
        "everything as on Windows",
        IDLE,
        bytes("\uFEFF" + GoodCase.CASE.replace("\n", "\r\n")),
        bytes("\uFEFF" + GoodCase.OBJECTS.replace("\n", "\r\n")),
        bytes("\uFEFF" + GOOD_SAMPLES.replace("\n", "\r\n")));
  }

  private void values() {
    for (String value :
        List.of(
            "NaN",
            "+Inf",
            "-Inf",
            "-1",
            "101",
            "1e308",
            "1e400",
            "9223372036854775794",
            "4294967295")) {
      samples("a value of " + value, NOT_IDLE, GOOD_SAMPLES.replace("} 0 ", "} " + value + " "));
    }
    for (String value : List.of("banana", "0x0", "0f", "1_0", "--1", "٣")) {
      samples("a value like " + value, REFUSED, GOOD_SAMPLES.replace("} 0 ", "} " + value + " "));
    }
    samples("a time of NaN", REFUSED, GoodCase.SERIES + " 0 NaN\n# EOF\n");
    samples("a time of 1e300", REFUSED, GoodCase.SERIES + " 0 1e300\n# EOF\n");
    samples(
        "times in milliseconds", NOT_IDLE, GOOD_SAMPLES.replaceAll("(?m)( 0 [0-9]+)$", "$1000"));
    samples("times a century ago", NOT_IDLE, GOOD_SAMPLES.replace(" 0 1", " 0 -1"));
    samples(
        "samples backwards",
        IDLE,
        backwards(GOOD_SAMPLES.substring(GOOD_SAMPLES.indexOf('\n') + 1)));
    samples("every sample twice", IDLE, GOOD_SAMPLES.replaceAll("(?m)^(D.*)$", "$1\n$1"));
    samples(
        "one sample",
        NOT_IDLE,
        GoodCase.SERIES + " 0 " + GoodCase.AT.getEpochSecond() + "\n# EOF\n");
    samples("a card that is somewhere else", NOT_IDLE, GOOD_SAMPLES.replace("gpu-1", "gpu-2"));
    samples(
        "one card on two nodes",
        IDLE,
        GoodCase.samples(GoodCase.SERIES.replace("gpu-1", "gpu-2")) + GOOD_SAMPLES);
    samples(
        "a slice without a profile", NOT_IDLE, GOOD_SAMPLES.replace("{gpu", "{GPU_I_ID=\"x\",gpu"));
    samples(
        "a card without a name", NOT_IDLE, GOOD_SAMPLES.replace("gpu=\"0\",UUID=\"GPU-1\",", ""));
  }

  private static String withoutStatus(String objects) {
    return objects.substring(0, objects.indexOf("status:"));
  }

  private static String backwards(String samples) {
    List<String> lines = new ArrayList<>(samples.lines().toList());
    String end = lines.removeLast();
    return String.join("\n", lines.reversed()) + "\n" + end + "\n";
  }

  /** Lists of the list before, so that a small text stands for very many values. */
  private static String bomb(int levels, int width) {
    StringBuilder text = new StringBuilder("[&a0 [x]");
    for (int level = 1; level <= levels; level++) {
      String below = "*a" + (level - 1);
      text.append(", &a").append(level).append(" [").append(below);
      text.append((", " + below).repeat(width - 1)).append("]");
    }
    return text.append("]").toString();
  }

  private void head(String name, Outcome outcome, String head) {
    add(name, outcome, bytes(head), bytes(GoodCase.OBJECTS), bytes(GOOD_SAMPLES));
  }

  private void objects(String name, Outcome outcome, String objects) {
    add(name, outcome, bytes(GoodCase.CASE), bytes(objects), bytes(GOOD_SAMPLES));
  }

  private void pod(String name, Outcome outcome, String from, String to) {
    String pod = GoodCase.POD.replace(from, to);
    objects(name, outcome, GoodCase.OBJECTS.replace(GoodCase.POD, pod));
  }

  /** How many a Deployment asks for says nothing of its GPUs; a pause looks at it again. */
  private void replicas(String name, String count) {
    objects(name, IDLE, GoodCase.OBJECTS.replace("replicas: 1", "replicas: " + count));
  }

  private void everywhere(String name, String from, String to) {
    add(
        name,
        IDLE,
        bytes(GoodCase.CASE),
        bytes(GoodCase.OBJECTS.replace(from, to)),
        bytes(GOOD_SAMPLES.replace(from, to)));
  }

  private void samples(String name, Outcome outcome, String samples) {
    add(name, outcome, bytes(GoodCase.CASE), bytes(GoodCase.OBJECTS), bytes(samples));
  }

  private void add(String name, Outcome outcome, byte[] head, byte[] objects, byte[] samples) {
    all.add(new BadCase(name, outcome, head, objects, samples));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
