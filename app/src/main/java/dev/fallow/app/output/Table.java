package dev.fallow.app.output;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Columns under headings, as wide as they need to be; the last one runs on. */
public final class Table {

  /** One cell and how it looks. */
  public record Cell(String text, Style style) {
    public static Cell of(Object text) {
      return new Cell(text.toString(), Style.PLAIN);
    }
  }

  private final List<String> headings;
  private final List<List<Cell>> rows = new ArrayList<>();

  public Table(List<String> headings) {
    this.headings = List.copyOf(headings);
  }

  public void row(List<Cell> cells) {
    if (cells.size() != headings.size()) {
      throw new IllegalArgumentException(cells.size() + " cells under " + headings);
    }
    rows.add(List.copyOf(cells));
  }

  public void print(PrintStream out, boolean coloured) {
    int[] widths = new int[headings.size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = width(headings.get(column));
      for (List<Cell> row : rows) {
        widths[column] = Math.max(widths[column], width(shown(row.get(column))));
      }
    }
    line(out, headings.stream().map(text -> new Cell(text, Style.BOLD)).toList(), widths, coloured);
    rows.forEach(row -> line(out, row, widths, coloured));
  }

  private static void line(PrintStream out, List<Cell> cells, int[] widths, boolean coloured) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String text = shown(cells.get(column));
      line.append(cells.get(column).style().on(text, coloured));
      if (column < cells.size() - 1) {
        line.repeat(' ', widths[column] - width(text) + 2);
      }
    }
    out.println(line);
  }

  private static String shown(Cell cell) {
    return Style.visible(cell.text());
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
