package dev.fallow.systemtests;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/**
 * Finds Services by their names as a cluster's DNS does: {@code name.namespace.svc}. In tests all
 * of them are on this machine.
 */
public final class ServiceNames extends InetAddressResolverProvider {

  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver usual = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        return host.endsWith(".svc")
            ? Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}))
            : usual.lookupByName(host, policy);
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        return usual.lookupByAddress(address);
      }
    };
  }

  @Override
  public String name() {
    return "services";
  }
}
