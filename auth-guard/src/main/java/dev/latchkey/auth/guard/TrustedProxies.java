package dev.latchkey.auth.guard;

import dev.latchkey.auth.HeaderFields;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the source of a request: the right-most address that no trusted proxy vouches away.
 *
 * <p>Each proxy appends the address that it was called from, so a list reads from the client on the left to our own proxy on
 * the right, and whatever stands left of the first stranger is that stranger's word. Hence: if the connection does not come
 * from a trusted network, its own address is the source and the header is not read. Otherwise the list is walked from the
 * right, past trusted addresses, and the first other one is the source. An entry that is not an address ends the walk at the
 * last address that was vouched for: an invented entry can only make strangers share a limit, never escape one.
 *
 * <p>Exactly one header is read. Of two, a client could send the one that the proxy does not overwrite.
 *
 * <p>Safe for use by any number of threads.
 */
public final class TrustedProxies {

    private static final Logger LOG = LoggerFactory.getLogger(TrustedProxies.class);

    /** A chain of proxies longer than this is not walked further. */
    private static final int MAX_HOPS = 32;

    /** Where a proxy that nobody told us about is likely to be: RFC 1918, RFC 6598, RFC 4193, loopback and link-local. */
    private static final List<IpNetwork> NEAR = Stream.of(
                    "10.0.0.0/8",
                    "172.16.0.0/12",
                    "192.168.0.0/16",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "::1",
                    "fc00::/7",
                    "fe80::/10")
            .map(IpNetwork::parse)
            .toList();

    private final List<IpNetwork> trusted;

    @Nullable
    private final ForwardingHeader header;

    private final List<IpNetwork> suspected;
    private final AtomicBoolean warned = new AtomicBoolean();

    private TrustedProxies(List<IpNetwork> trusted, @Nullable ForwardingHeader header, List<IpNetwork> suspected) {
        this.trusted = trusted;
        this.header = header;
        this.suspected = suspected;
    }

    /** Nobody is trusted: the source is the address of the connection. */
    public static TrustedProxies none() {
        return new TrustedProxies(List.of(), null, List.of());
    }

    /**
     * Nobody has said yet whether there are proxies: as {@link #none()}, but a request that carries a forwarding header and
     * comes from a private network is from {@link ClientSource#UNKNOWN}.
     *
     * <p>For behind a proxy all clients have its address, and one who fails often would use up the limit of all. With an
     * unknown source, logins are limited by their account alone.
     */
    public static TrustedProxies undecided() {
        return new TrustedProxies(List.of(), null, NEAR);
    }

    /**
     * Proxies in these networks are believed what they say in this header.
     *
     * @param networks in CIDR notation, or single addresses
     * @throws IllegalArgumentException if one is not in that notation; the message names it
     */
    public static TrustedProxies of(ForwardingHeader header, Collection<String> networks) {
        return new TrustedProxies(
                networks.stream().map(IpNetwork::parse).toList(), Objects.requireNonNull(header, "header"), List.of());
    }

    /**
     * The source of a request.
     *
     * @param remoteAddress of the connection, as the server gives it; an IPv6 zone is ignored. What is not an address (a
     *     Unix socket) is {@link ClientSource#UNKNOWN}
     * @param headers asked only if the connection comes from a trusted proxy
     */
    public ClientSource sourceOf(@Nullable String remoteAddress, HeaderFields headers) {
        Optional<IpAddress> remote = remoteAddress == null ? Optional.empty() : IpAddress.parse(unzoned(remoteAddress));
        if (remote.isEmpty()) {
            return ClientSource.UNKNOWN;
        }
        if (isSuspected(remote.get(), headers)) {
            return ClientSource.UNKNOWN;
        }
        if (header == null || !isTrusted(remote.get())) {
            return ClientSource.of(remote.get());
        }
        return ClientSource.of(walk(remote.get(), header.hops(headers.values(header.fieldName()))));
    }

    private IpAddress walk(IpAddress remote, List<String> hops) {
        IpAddress vouchedFor = remote;
        int last = Math.max(0, hops.size() - MAX_HOPS);
        for (int i = hops.size() - 1; i >= last; i--) {
            Optional<IpAddress> hop = ForwardingHeader.address(hops.get(i));
            if (hop.isEmpty()) {
                return vouchedFor;
            }
            vouchedFor = hop.get();
            if (!isTrusted(vouchedFor)) {
                return vouchedFor;
            }
        }
        return vouchedFor;
    }

    private boolean isTrusted(IpAddress address) {
        return isIn(trusted, address);
    }

    private boolean isSuspected(IpAddress remote, HeaderFields headers) {
        boolean suspicious = isIn(suspected, remote)
                && Arrays.stream(ForwardingHeader.values())
                        .anyMatch(each -> !headers.values(each.fieldName()).isEmpty());
        if (suspicious && warned.compareAndSet(false, true)) {
            LOG.warn("Logins seem to come through a proxy that is not configured as trusted, and are limited by their"
                    + " account alone");
        }
        return suspicious;
    }

    private static boolean isIn(List<IpNetwork> networks, IpAddress address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    private static String unzoned(String address) {
        int zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }
}
