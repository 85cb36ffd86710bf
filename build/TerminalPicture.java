import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws what a program wrote to a terminal, colours included, as an SVG of a terminal window. Reads
 * the output from standard input; the arguments are the window's title, its columns and the most
 * lines it shows. Run by {@code make picture}.
 */
final class TerminalPicture {

  private static final double CHARACTER = 7.8;
  private static final int LINE = 19;
  private static final int MARGIN = 20;
  private static final int BAR = 38;
  private static final Pattern STYLE = Pattern.compile("\u001b\\[([0-9;]*)m");
  private static final Map<String, String> COLOURS =
      Map.of("31", "#f47067", "32", "#6bc46d", "33", "#daaa3f", "36", "#56b6c2", "2", "#8b949e");

  /** Words up to a wide gap: each is placed by itself, so that columns stand in any font. */
  private static final Pattern PIECE = Pattern.compile("\\S+( \\S+)*");

  private TerminalPicture() {}

  public static void main(String[] words) throws IOException {
    String title = words[0];
    int columns = Integer.parseInt(words[1]);
    int most = Integer.parseInt(words[2]);
    String text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
    List<String> lines = text.lines().limit(most).toList();
    int width = (int) Math.ceil(2 * MARGIN + columns * CHARACTER);
    int height = BAR + lines.size() * LINE + 2 * MARGIN - 4;
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" role="img" aria-label="%3$s">
        <rect width="%1$d" height="%2$d" rx="10" fill="#14171c"/>
        <path d="M0 %4$dV10A10 10 0 0 1 10 0H%5$dA10 10 0 0 1 %1$d 10V%4$dZ" fill="#23272e"/>
        <circle cx="22" cy="19" r="6" fill="#f4605a"/><circle cx="42" cy="19" r="6" fill="#f5bd4f"/><circle cx="62" cy="19" r="6" fill="#61c554"/>
        <g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13" fill="#d5dae1">
        <text x="%6$d" y="24" text-anchor="middle" fill="#8b949e">%3$s</text>
        """
            .formatted(width, height, escaped(title), BAR, width - 10, width / 2));
    int y = BAR + MARGIN + 8;
    for (String line : lines) {
      draw(svg, line, columns, y);
      y += LINE;
    }
    System.out.print(svg.append("</g>\n</svg>\n"));
  }

  private static void draw(StringBuilder svg, String line, int columns, int y) {
    boolean cut = STYLE.matcher(line).replaceAll("").length() > columns;
    int room = cut ? columns - 1 : columns;
    int column = 0;
    int from = 0;
    String style = "";
    Matcher codes = STYLE.matcher(line);
    StringBuilder pieces = new StringBuilder();
    while (column < room && from < line.length()) {
      boolean more = codes.find();
      String run = line.substring(from, more ? codes.start() : line.length());
      String shown = run.substring(0, Math.min(run.length(), room - column));
      place(pieces, shown, column, style);
      column += shown.length();
      style = more ? codes.group(1) : style;
      from = more ? codes.end() : line.length();
    }
    if (cut) {
      place(pieces, "…", room, "2");
    }
    if (!pieces.isEmpty()) {
      svg.append("<text y=\"").append(y).append("\">").append(pieces).append("</text>\n");
    }
  }

  private static void place(StringBuilder pieces, String run, int column, String style) {
    Matcher piece = PIECE.matcher(run);
    while (piece.find()) {
      double x = MARGIN + (column + piece.start()) * CHARACTER;
      pieces
          .append("<tspan x=\"")
          .append(String.format(Locale.ROOT, "%.1f", x))
          .append('"')
          .append(
              piece.group().length() > 1
                  ? String.format(
                      Locale.ROOT, " textLength=\"%.1f\"", piece.group().length() * CHARACTER)
                  : "")
          .append(attributes(style))
          .append('>')
          .append(escaped(piece.group()))
          .append("</tspan>");
    }
  }

  private static String attributes(String style) {
    StringBuilder attributes = new StringBuilder();
    for (String code : style.split(";")) {
      if (code.equals("1")) {
        attributes.append(" font-weight=\"bold\" fill=\"#f2f5f9\"");
      } else if (COLOURS.containsKey(code)) {
        attributes.append(" fill=\"").append(COLOURS.get(code)).append('"');
      }
    }
    return attributes.toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
