package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.prometheus.ReplyReader.Kind;
import dev.fallow.core.autoscale.Feed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;

/** Reads a list of metric names, as the query API gives the values of a label. */
final class NameList {

  static final long MOST_BYTES = 8 << 20;

  private static final int MOST_NAMES = 5000;

  private NameList() {}

  static Set<String> parse(InputStream body) throws IOException {
    Set<String> names = new TreeSet<>();
    String status = "";
    ReplyReader reply = new ReplyReader(body);
    StringPool keys = new StringPool(MOST_BYTES);
    if (reply.kind() != Kind.OBJECT) {
      throw new MalformedReply("it is not an object");
    }
    for (boolean more = reply.beginObject(); more; more = reply.moreInObject()) {
      String key = reply.name(keys);
      if (key.equals("status")) {
        status = reply.words();
      } else if (key.equals("data") && reply.kind() == Kind.ARRAY) {
        list(reply, names);
      } else {
        reply.skip();
      }
    }
    if (!status.equals("success")) {
      throw new MalformedReply("it says of itself \"" + Words.abridged(status) + "\"");
    }
    return names;
  }

  private static void list(ReplyReader reply, Set<String> names) throws IOException {
    for (boolean more = reply.beginArray(); more; more = reply.moreInArray()) {
      String name = reply.words();
      if (Feed.listed(name) && names.size() < MOST_NAMES) {
        names.add(name);
      }
    }
  }
}
