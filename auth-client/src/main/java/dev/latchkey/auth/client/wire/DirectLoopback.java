package dev.latchkey.auth.client.wire;

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Uses the JVM's default proxy selector for other machines, and no proxy for this machine. Credentials go over plain
 * HTTP only within this machine, and a proxy could read these credentials. The JDK's own selector uses no proxy for
 * loopback unless {@code http.nonProxyHosts} is changed. A custom selector may use a proxy even for loopback.
 */
public final class DirectLoopback extends ProxySelector {

    private static final List<Proxy> DIRECT = List.of(Proxy.NO_PROXY);

    /**
     * Whether a proxy could read a request by plain HTTP to this machine.
     *
     * @param proxies the selector of the client that sends the request
     * @param address of the request
     * @return {@code false} for HTTPS and for other machines
     */
    public static boolean isExposedBy(ProxySelector proxies, URI address) {
        return Origin.of(address)
                        .filter(origin -> origin.scheme().equals("http") && origin.isLoopback())
                        .isPresent()
                && proxies.select(address).stream().anyMatch(proxy -> proxy.type() != Proxy.Type.DIRECT);
    }

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
