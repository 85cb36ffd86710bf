package dev.fallow.adapters.notify;

import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;

/** The channels that go over HTTP, each with secrets that hold the word CANARY. */
enum Way {
  SLACK_WEBHOOK(new Address("slack", "#ml-team"), "ok") {
    @Override
    Channel channel(Outbound outbound, InstantSource clock, String base) {
      return new SlackWebhook(
          outbound, clock, Secret.of(base + "/services/T0/B0/CANARY"), "#ml-team");
    }
  },
  SLACK_APP(
      new Address("slack", "@U0123ABC"), "{\"ok\":true,\"channel\":\"D012\",\"ts\":\"17.0001\"}") {
    @Override
    Channel channel(Outbound outbound, InstantSource clock, String base) {
      return new SlackApp(outbound, clock, Secret.of("xoxb-CANARY"), URI.create(base + "/api/"));
    }
  },
  TEAMS(new Address("teams", "ml"), "") {
    @Override
    Channel channel(Outbound outbound, InstantSource clock, String base) {
      return new TeamsWebhook(
          outbound, clock, Map.of("ml", Secret.of(base + "/workflows/x?sig=CANARY")));
    }
  },
  SIGNED(new Address("webhook", "pager"), "thanks") {
    @Override
    Channel channel(Outbound outbound, InstantSource clock, String base) {
      return new SignedWebhook(
          outbound,
          clock,
          Map.of(
              "pager",
              new SignedWebhook.Endpoint(
                  Secret.of(base + "/hook/CANARY"), Secret.of("key-CANARY"))));
    }
  };

  private final Address address;
  private final String taken;

  Way(Address address, String taken) {
    this.address = address;
    this.taken = taken;
  }

  abstract Channel channel(Outbound outbound, InstantSource clock, String base);

  Address address() {
    return address;
  }

  /** The body with which the other side says that it has the message. */
  String taken() {
    return taken;
  }
}
