package dev.fallow.app.web;

import dev.fallow.core.idle.UseCurve;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Curves as lists of numbers; written out only when somebody looks. */
final class PictureFields {

  private PictureFields() {}

  /** The shares of its latest steps, null where nothing is known. */
  static List<@Nullable Object> spark(UseCurve curve, int points) {
    int first = Math.max(0, curve.points() - points);
    return new AbstractList<>() {
      @Override
      public @Nullable Object get(int index) {
        OptionalDouble share = curve.share(first + index);
        return share.isPresent() ? (Object) share.getAsDouble() : null;
      }

      @Override
      public int size() {
        return curve.points() - first;
      }
    };
  }

  /** Pairs of seconds since 1970 and a share, without the steps nobody knows of. */
  static List<Object> points(UseCurve curve) {
    List<Object> points = new ArrayList<>();
    for (int i = 0; i < curve.points(); i++) {
      OptionalDouble share = curve.share(i);
      if (share.isPresent()) {
        points.add(List.of(curve.at(i).getEpochSecond(), share.getAsDouble()));
      }
    }
    return points;
  }
}
