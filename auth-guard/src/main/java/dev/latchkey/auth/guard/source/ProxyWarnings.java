package dev.latchkey.auth.guard.source;

import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.guard.source.Peers.Peer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warnings about proxies that are not configured, or wrongly configured; each is logged once. Safe for use by any
 * number of threads.
 */
final class ProxyWarnings {

    private static final Logger LOG = LoggerFactory.getLogger(TrustedProxies.class);

    private final String setting;
    private final AtomicBoolean toldOfUnknown = new AtomicBoolean();
    private final AtomicBoolean toldOfOtherField = new AtomicBoolean();

    /** @param setting the name of the setting for proxies */
    ProxyWarnings(String setting) {
        this.setting = setting;
    }

    /** Warns of a peer in a private network. The peer may be a proxy or a client. */
    void warnOfUnknownProxy(Peer remote) {
        if (toldOfUnknown.compareAndSet(false, true)) {
            LOG.warn(
                    "Requests come from {}, a private address that nobody configured. Until it is known who that is, failed logins"
                            + " from private addresses share one budget, and throttles by source let them pass. If it is a proxy, write"
                            + " {}={} (or its network) and have it set X-Forwarded-For; if clients connect directly, write {}=none",
                    remote.text(),
                    setting,
                    remote.text(),
                    setting);
        }
    }

    /**
     * Warns of a trusted proxy that sends the other header field and not the configured field. Without both fields,
     * there is no warning: the request may be the proxy's own health check.
     */
    void warnOfOtherField(Peer proxy, ForwardingHeader read, HeaderFields headers) {
        ForwardingHeader other = read.other();
        if (!toldOfOtherField.get()
                && !headers.values(other.fieldName()).isEmpty()
                && toldOfOtherField.compareAndSet(false, true)) {
            LOG.warn(
                    "A request of the proxy {} has {} and no {}, which is what is read. So its clients are one source, with one limit."
                            + " Have the proxy write {}, or name {} as the forwarding header",
                    proxy.text(),
                    other.fieldName(),
                    read.fieldName(),
                    read.fieldName(),
                    other.fieldName());
        }
    }
}
