package dev.latchkey.nacos;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.nacos.settings.NacosSettings;
import dev.latchkey.nacos.settings.ServerProperties;
import dev.latchkey.nacos.settings.SettingsReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** The plugin's parts as the server puts them together, around the tests' users and roles. */
final class PluginParts implements AutoCloseable {

    static final BCryptPasswordEncoder BCRYPT = new BCryptPasswordEncoder(4);

    final GuardTime time = GuardTime.start();
    final NacosSettings settings;
    final Passwords passwords;
    final AuthChain chain;
    final RotatingKeys keys;
    final AccessTokens tokens;
    final NacosLogins logins;
    final LoginThreads threads;

    PluginParts(FakeUsers users, FakeRoles roles) {
        this(Map.of(), users, roles, InstantSource.system(), Ticker.systemTicker());
    }

    /** @param own properties of the plugin, without its prefix */
    PluginParts(Map<String, String> own, FakeUsers users, FakeRoles roles, InstantSource clock, Ticker ticker) {
        settings = SettingsReader.read(properties(own));
        StoredUsers stored = new StoredUsers(users);
        passwords =
                Passwords.with(stored, BCRYPT, CredentialCacheSettings.defaults(), HashingSettings.defaults(), 4, time);
        threads = new LoginThreads(4, passwords::beginsAtOnce, new HeldRefusals(Duration.ZERO, 0, time));
        chain = Sources.chain(settings.sources(), passwords, 200);
        keys = RotatingKeys.startingWith(settings.signingKey());
        Standings standings = new Standings(chain, settings.sources().rules(), Runnable::run, ticker, clock);
        tokens = new AccessTokens(stored, chain, standings, keys, settings, clock);
        logins = new NacosLogins(
                chain,
                tokens,
                new OtherTokens(chain, tokens.revoked(), clock),
                roles,
                settings.sources().rules(),
                new RequestThreads(1, passwords::beginsAtOnce, passwords::isFromKnownClient));
    }

    /** Tokens of the server's own users alone. */
    static AccessTokens tokens(FakeUsers users, RotatingKeys keys, NacosSettings settings, InstantSource clock) {
        AuthChain none = AuthChain.of();
        Standings standings =
                new Standings(none, settings.sources().rules(), Runnable::run, Ticker.systemTicker(), clock);
        return new AccessTokens(new StoredUsers(users), none, standings, keys, settings, clock);
    }

    /** A login of a user of the server with this stored hash. */
    static Authenticated login(String username, String storedHash) {
        return Authenticated.as(Subject.of(username)).decidedBy(Passwords.NAME).withStamp(Secret.of(storedHash));
    }

    /** With the server's key, and these properties of the plugin. */
    static ServerProperties properties(Map<String, String> own) {
        Map<String, String> all = new HashMap<>(Map.of(SettingsReader.SECRET, DefaultToken.SECRET));
        own.forEach((name, value) -> all.put(ServerProperties.OWN + name, value));
        return inServer(all);
    }

    /** The properties in the form of the server. */
    public static ServerProperties inServer(Map<String, String> all) {
        Set<String> names = new TreeSet<>();
        for (String prefix : Set.of(ServerProperties.OWN, ServerProperties.OWN_SINCE_3_2)) {
            names.addAll(all.keySet().stream()
                    .filter(name -> name.startsWith(prefix))
                    .map(name -> name.substring(prefix.length()))
                    .collect(Collectors.toSet()));
        }
        return new ServerProperties(all::get, names);
    }

    @Override
    public void close() {
        threads.close();
        chain.close();
        time.close();
    }
}
