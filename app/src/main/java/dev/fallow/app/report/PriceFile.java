package dev.fallow.app.report;

import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.ReportSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.core.savings.PriceBook.Price;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * A YAML file of one's own prices:
 *
 * <pre>
 * currency: EUR
 * models:
 *   H100: {onDemand: 2.10, spot: 0.95}
 *   "NVIDIA A100-*": {onDemand: 1.40}
 * </pre>
 *
 * <p>What is wrong in it is named with its line, its key and the cure.
 */
public final class PriceFile {

  private static final int LARGEST = 1 << 20;
  private static final double DEAREST = 100_000;

  private final Path file;

  private PriceFile(Path file) {
    this.file = file;
  }

  /** The prices that the settings name, over the defaults. */
  public static PriceBook of(Settings settings) {
    String file = settings.of(ReportSettings.PRICES);
    return file.isEmpty() ? PriceBook.standard() : read(Path.of(file));
  }

  static PriceBook read(Path file) {
    PriceFile prices = new PriceFile(file);
    return prices.book(prices.root());
  }

  private Optional<Node> root() {
    LoadSettings limits =
        LoadSettings.builder().setMaxAliasesForCollections(0).setCodePointLimit(LARGEST).build();
    try {
      return new Compose(limits).composeString(Files.readString(file));
    } catch (MarkedYamlEngineException malformed) {
      throw wrong(
          malformed.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0),
          "",
          "is not YAML that can be read: " + malformed.getProblem());
    } catch (YamlEngineException malformed) {
      throw wrong(0, "", "is not YAML that can be read: " + malformed.getMessage());
    } catch (StackOverflowError tooDeep) {
      throw wrong(0, "", "is nested too deeply");
    } catch (NoSuchFileException absent) {
      throw wrong(0, "", "is not there; --prices takes the path of a file");
    } catch (CharacterCodingException garbled) {
      throw wrong(0, "", "is not UTF-8 text");
    } catch (IOException unreadable) {
      throw wrong(0, "", "cannot be read: " + unreadable.getMessage());
    }
  }

  private PriceBook book(Optional<Node> root) {
    String currency = PriceBook.DOLLARS;
    List<Price> prices = new ArrayList<>();
    if (root.isPresent()) {
      for (Entry entry : entries(root.get(), "", "it holds currency: and models:")) {
        switch (entry.key()) {
          case "currency" -> currency = currency(entry);
          case "models" ->
              entries(entry.value(), "models", "write H100: {onDemand: 2.10, spot: 0.95} below it")
                  .forEach(model -> prices.add(price(model)));
          default ->
              throw wrong(entry.line(), entry.path(), "is not known; there are currency, models");
        }
      }
    }
    return new PriceBook(currency, prices);
  }

  private String currency(Entry entry) {
    String text = text(entry);
    if (!text.matches("[A-Z]{3}")) {
      throw wrong(
          entry.line(), entry.path(), "\"" + cut(text) + "\" is no currency; write USD, EUR, …");
    }
    return text;
  }

  private Price price(Entry model) {
    if (model.key().isBlank()) {
      throw wrong(model.line(), model.path(), "names no model; write a part of its name");
    }
    Optional<Double> onDemand = Optional.empty();
    Optional<Double> spot = Optional.empty();
    for (Entry entry : entries(model.value(), model.path(), "write {onDemand: 2.10, spot: 0.95}")) {
      switch (entry.key()) {
        case "onDemand" -> onDemand = Optional.of(amount(entry));
        case "spot" -> spot = Optional.of(amount(entry));
        default ->
            throw wrong(entry.line(), entry.path(), "is not known; there are onDemand, spot");
      }
    }
    if (onDemand.isEmpty()) {
      throw wrong(model.line(), model.path(), "has no onDemand; write {onDemand: 2.10}");
    }
    return new Price(model.key(), onDemand.get(), spot.orElse(onDemand.get()));
  }

  private double amount(Entry entry) {
    String text = text(entry);
    double amount = text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?") ? Double.parseDouble(text) : -1;
    if (amount < 0 || amount > DEAREST) {
      throw wrong(
          entry.line(),
          entry.path(),
          "\"" + cut(text) + "\" is no price; write what an hour of one GPU costs, such as 2.10");
    }
    return amount;
  }

  private String text(Entry entry) {
    if (entry.value() instanceof ScalarNode scalar) {
      return scalar.getValue().strip();
    }
    throw wrong(entry.line(), entry.path(), "needs one value");
  }

  /** A key with its value, and where they are. */
  private record Entry(String key, Node value, int line, String path) {}

  private List<Entry> entries(Node node, String path, String cure) {
    if (!(node instanceof MappingNode map)) {
      throw wrong(lineOf(node), path, "has to hold names with values: " + cure);
    }
    List<Entry> entries = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (NodeTuple tuple : map.getValue()) {
      String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
      String below = path.isEmpty() ? key : path + "." + key;
      int line = lineOf(tuple.getKeyNode());
      if (!seen.add(key)) {
        throw wrong(line, below, "is there twice; keep one of them");
      }
      entries.add(new Entry(key, tuple.getValueNode(), line, below));
    }
    return entries;
  }

  private static int lineOf(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
  }

  private static String cut(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private WrongUse wrong(int line, String key, String what) {
    return new WrongUse(
        "--prices: "
            + file
            + (line > 0 ? ", line " + line : "")
            + (key.isEmpty() ? " " : ", " + cut(key) + ": ")
            + what);
  }
}
