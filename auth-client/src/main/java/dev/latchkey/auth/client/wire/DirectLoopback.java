package dev.latchkey.auth.client.wire;

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proxies of this machine for what leaves it, and none for what does not: credentials go over plain HTTP to this machine because nobody between can read them, and a proxy
 * would be between. The JDK's own selector leaves out loopback unless {@code http.nonProxyHosts} says otherwise; a service's may not.
 */
public final class DirectLoopback extends ProxySelector {

    private static final List<Proxy> DIRECT = List.of(Proxy.NO_PROXY);

    @Override
    public List<Proxy> select(URI address) {
        ProxySelector machine = ProxySelector.getDefault();
        return machine == null || Origin.of(address).filter(Origin::isLoopback).isPresent()
                ? DIRECT
                : machine.select(address);
    }

    @Override
    public void connectFailed(URI address, @Nullable SocketAddress socket, @Nullable IOException failure) {
        ProxySelector machine = ProxySelector.getDefault();
        if (machine != null) {
            machine.connectFailed(address, socket, failure);
        }
    }
}
