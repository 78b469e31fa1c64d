package dev.latchkey.nacos;

import com.alibaba.nacos.common.event.ServerConfigChangeEvent;
import com.alibaba.nacos.common.notify.Event;
import com.alibaba.nacos.common.notify.NotifyCenter;
import com.alibaba.nacos.common.notify.listener.Subscriber;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.nacos.settings.NacosSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a new key and a new lifetime at run time, after the server has noticed a changed configuration. The server's
 * own tokens do the same.
 *
 * <p>The previous key verifies during the lifetime of its last tokens, so no user is logged out. A wrong configuration
 * changes nothing.
 */
final class SettingsWatch extends Subscriber<ServerConfigChangeEvent> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SettingsWatch.class);

    private final Supplier<NacosSettings> settings;
    private final RotatingKeys keys;
    private final AccessTokens tokens;
    private final InstantSource clock;
    private Duration lifetime;

    /** The latest end of a token of the signing key with an earlier lifetime. */
    private Instant earlierEnd = Instant.MIN;

    SettingsWatch(
            Supplier<NacosSettings> settings,
            RotatingKeys keys,
            AccessTokens tokens,
            Duration lifetime,
            InstantSource clock) {
        this.settings = settings;
        this.keys = keys;
        this.tokens = tokens;
        this.lifetime = lifetime;
        this.clock = clock;
    }

    /** Receives changes from now on. */
    SettingsWatch start() {
        NotifyCenter.registerSubscriber(this);
        return this;
    }

    @Override
    public synchronized void onEvent(ServerConfigChangeEvent event) {
        try {
            NacosSettings changed = settings.get();
            tokens.changeLifetime(changed.lifetime());
            take(changed.signingKey());
            lifetime = changed.lifetime();
        } catch (RuntimeException e) {
            tokens.changeLifetime(lifetime);
            LOG.error("The changed configuration is not taken; the one before stays in use: {}", e.getMessage());
        }
    }

    private void take(HmacKey key) {
        Instant now = clock.instant();
        Instant end = now.plus(lifetime);
        if (end.isBefore(earlierEnd)) {
            end = earlierEnd;
        }
        if (key.isSameKeyAs(keys.ring().signingKey())) {
            earlierEnd = end;
            return;
        }
        keys.rotateTo(key, end, now);
        earlierEnd = Instant.MIN;
        LOG.info("Tokens are signed with another key from now on; tokens of the previous key are valid until {}", end);
    }

    @Override
    public Class<? extends Event> subscribeType() {
        return ServerConfigChangeEvent.class;
    }

    @Override
    public void close() {
        NotifyCenter.deregisterSubscriber(this);
    }
}
