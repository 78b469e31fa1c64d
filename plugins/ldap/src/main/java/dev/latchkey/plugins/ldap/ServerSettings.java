package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.PluginConfig;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;

/**
 * The servers of the directory, and the time limits.
 *
 * @param servers asked in this order until one answers
 * @param tls with the trusted certificates
 * @param timeout of a whole login, including connecting
 * @param connectTimeout of one server, for the connection and TLS
 * @param maxCalls the number of concurrent calls, and of connections of each kind
 */
record ServerSettings(
        List<Server> servers,
        Encryption encryption,
        SSLContext tls,
        Duration timeout,
        Duration connectTimeout,
        int maxCalls) {

    /** The protection of passwords on the way to the directory. */
    enum Encryption {
        LDAPS,
        START_TLS,
        NONE
    }

    /** One of several servers with the same directory. */
    record Server(String host, int port) {}

    private static final String URL_RULE =
            "ldaps:// or ldap:// addresses between commas, all of one scheme, such as ldaps://ldap.example.org";

    private static final int DEFAULT_CALLS = 64;
    private static final int MOST_CALLS = 1_000;
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);

    static ServerSettings of(PluginConfig config) {
        List<URI> urls = LdapSettings.listOf(config, "urls").stream()
                .map(url -> uriOf(config, url))
                .toList();
        if (urls.isEmpty()) {
            throw config.missing("urls").get();
        }
        if (urls.stream().map(URI::getScheme).distinct().count() > 1) {
            throw config.wrong("urls", URL_RULE);
        }
        List<Server> servers = urls.stream().map(ServerSettings::serverOf).toList();
        return new ServerSettings(
                servers,
                encryptionOf(config, urls.get(0).getScheme(), servers),
                TrustedCertificates.of(config),
                timeOf(config, "timeout", Duration.ofSeconds(5)),
                timeOf(config, "connect-timeout", Duration.ofSeconds(2)),
                maxCallsOf(config));
    }

    private static URI uriOf(PluginConfig config, String text) {
        try {
            URI uri = URI.create(text.toLowerCase(Locale.ROOT));
            boolean isDirectory = "ldap".equals(uri.getScheme()) || "ldaps".equals(uri.getScheme());
            boolean isPlain = uri.getRawUserInfo() == null
                    && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"))
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
            if (isDirectory && isPlain && uri.getHost() != null) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // Reported below without the configured text, which may contain anything.
        }
        throw config.wrong("urls", URL_RULE + "; the base of searches is base-dn");
    }

    private static Server serverOf(URI uri) {
        int usual = uri.getScheme().equals("ldaps") ? 636 : 389;
        String host = uri.getHost().startsWith("[")
                ? uri.getHost().substring(1, uri.getHost().length() - 1)
                : uri.getHost();
        return new Server(host, uri.getPort() < 0 ? usual : uri.getPort());
    }

    private static Encryption encryptionOf(PluginConfig config, String scheme, List<Server> servers) {
        String wanted = config.text("encryption").orElse("");
        if (scheme.equals("ldaps")) {
            if (!wanted.isEmpty()) {
                throw config.wrong("encryption", "left out for ldaps:// addresses, which are encrypted");
            }
            return Encryption.LDAPS;
        }
        return switch (wanted) {
            case "", "start-tls" -> Encryption.START_TLS;
            case "none" -> {
                if (!servers.stream().allMatch(ServerSettings::isThisMachine)) {
                    throw config.wrong(
                            "encryption",
                            "start-tls, or left out: without encryption everybody on the way reads the passwords."
                                    + " none is for servers of this machine; where the network itself encrypts, write"
                                    + " none-on-the-network");
                }
                yield Encryption.NONE;
            }
            case "none-on-the-network" -> Encryption.NONE;
            default -> throw config.wrong("encryption", "start-tls, none or none-on-the-network");
        };
    }

    private static boolean isThisMachine(Server server) {
        try {
            return InetAddress.getByName(server.host()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static Duration timeOf(PluginConfig config, String key, Duration usual) {
        Duration time = config.duration(key).orElse(usual);
        if (time.toMillis() < 1 || time.compareTo(LONGEST_TIMEOUT) > 0) {
            throw config.wrong(key, "from 1ms to 1m");
        }
        return time;
    }

    private static int maxCallsOf(PluginConfig config) {
        long calls = config.number("max-connections").orElse((long) DEFAULT_CALLS);
        if (calls < 1 || calls > MOST_CALLS) {
            throw config.wrong("max-connections", "from 1 to " + MOST_CALLS);
        }
        return (int) calls;
    }
}
