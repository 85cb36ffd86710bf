package dev.fallow.adapters.notify;

import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Sends mail. The server's 250 after the whole text is the confirmation, and nothing before it. */
public final class SmtpMail implements Channel {

  private final SmtpServer server;
  private final Network network;
  private final SSLContext tls;
  private final InstantSource clock;

  /**
   * @throws dev.fallow.core.Unavailable if the certificates to trust cannot be read
   */
  public SmtpMail(Network network, InstantSource clock, SmtpServer server) {
    this.network = network;
    this.clock = clock;
    this.server = server;
    this.tls = network.tls();
  }

  @Override
  public Delivery deliver(Address to, Message message) {
    if (!to.channel().equals(Address.MAIL)
        || !(Address.parse(to.text()) instanceof Address.Parsed.Valid)) {
      return new Delivery.Refused("that is no address of mail; write mail:alice@example.com");
    }
    MailText mail = MailText.of(message, server, to.target(), clock.instant());
    try (SmtpConversation smtp = new SmtpConversation(server, network, tls)) {
      smtp.begin();
      smtp.command("MAIL FROM:<" + server.from() + ">", "the sender " + server.from());
      smtp.command("RCPT TO:<" + to.target() + ">", "the receiver");
      smtp.text(mail.text());
      Delivery confirmed = new Delivery.Confirmed(clock.instant(), mail.messageId());
      smtp.quit();
      return confirmed;
    } catch (SmtpConversation.Unwelcome no) {
      return no.permanent()
          ? new Delivery.Refused(no.sentence())
          : new Delivery.Failed(no.sentence(), Optional.empty());
    } catch (IOException broken) {
      return new Delivery.Failed("the mail server " + sentence(broken), Optional.empty());
    }
  }

  private String sentence(IOException broken) {
    return switch (broken) {
      case SocketTimeoutException late ->
          "did not answer within " + network.wholeTimeout().toMillis() + " ms";
      case UnknownHostException unknown -> "has a host name that is unknown here; check it";
      case SSLException untrusted ->
          "shows a certificate that is not trusted here, or does not speak TLS on this port; name"
              + " the file of its authority in the settings, and check the port";
      default -> "cannot be reached, or broke off";
    };
  }
}
