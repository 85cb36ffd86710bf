package dev.fallow.systemtests.campaign;

import dev.fallow.rig.fault.ActiveFault;
import dev.fallow.rig.fault.FaultProxy;
import dev.fallow.rig.fault.ProxyFault;
import dev.fallow.rig.fault.Scope;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Something goes wrong on the way to a server. */
final class ProxyOutage implements Fault {
  /** What goes wrong for which requests. */
  record Trouble(ProxyFault fault, Scope scope) {}

  private final String name;
  private final String group;
  private final FaultProxy proxy;
  private final boolean darkens;
  private final Function<RandomGenerator, Trouble> trouble;
  private @Nullable ActiveFault active;
  private Instant since = Instant.MAX;
  private Instant until = Instant.MAX;

  /**
   * @param darkens whether no evidence comes through while it lasts
   * @param trouble the details, as the dice fall
   */
  ProxyOutage(
      String name,
      String group,
      FaultProxy proxy,
      boolean darkens,
      Function<RandomGenerator, Trouble> trouble) {
    this.name = name;
    this.group = group;
    this.proxy = proxy;
    this.darkens = darkens;
    this.trouble = trouble;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String group() {
    return group;
  }

  @Override
  public void start(RandomGenerator dice) {
    Trouble chosen = trouble.apply(dice);
    since = Instant.now();
    until = Instant.MAX;
    active = proxy.start(chosen.fault(), chosen.scope());
  }

  @Override
  public void heal() {
    if (active != null && until.equals(Instant.MAX)) {
      active.heal();
      until = Instant.now();
    }
  }

  @Override
  public boolean waitsForPrey() {
    return !tookEffect();
  }

  @Override
  public boolean tookEffect() {
    return active != null && active.effects() > 0;
  }

  @Override
  public List<Darkness> dark() {
    return darkens && active != null
        ? List.of(new Darkness(new Span(since, until), name))
        : List.of();
  }
}
