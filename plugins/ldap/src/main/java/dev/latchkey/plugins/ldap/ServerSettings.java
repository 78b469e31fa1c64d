package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * The servers of the directory, and the time limits.
 *
 * @param servers asked in this order until a server answers
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
            "ldaps:// or ldap:// addresses between commas, such as ldaps://ldap.example.org";

    private static final String START_TLS = "start-tls";
    private static final String UNENCRYPTED = "none";
    private static final String UNENCRYPTED_ELSEWHERE = "none-on-the-network";

    static final PluginSetting<List<URI>> URLS = PluginSetting.list(
                    "urls", "the addresses of the servers, tried in this order until a server answers")
            .as(URL_RULE + "; the base of searches is base-dn", ServerSettings::urisOf)
            .must(
                    uris -> uris.stream().map(URI::getScheme).distinct().count() == 1,
                    URL_RULE + ", all of one scheme; the base of searches is base-dn")
            .required();

    static final PluginSetting<String> ENCRYPTION = PluginSetting.text(
                    "encryption", "the encryption of ldap:// addresses; start-tls by default")
            .must(
                    Set.of(START_TLS, UNENCRYPTED, UNENCRYPTED_ELSEWHERE)::contains,
                    "start-tls, none or none-on-the-network");

    static final PluginSetting<Duration> TIMEOUT = PluginSetting.duration("timeout", "the time limit of a whole login")
            .within("1ms", "1m")
            .withDefault("5s");

    static final PluginSetting<Duration> CONNECT_TIMEOUT = PluginSetting.duration(
                    "connect-timeout", "the time limit of a server to connect and to agree on TLS")
            .within("1ms", "1m")
            .withDefault("2s");

    static final PluginSetting<Long> MAX_CONNECTIONS = PluginSetting.number(
                    "max-connections",
                    "connections of each kind (searches, passwords), opened on demand; a further concurrent login is 503")
            .within("1", "1000")
            .withDefault("64");

    static void check(PluginEnvironment environment) {
        List<URI> urls = environment.get(URLS);
        Optional<String> wanted = environment.find(ENCRYPTION);
        if (urls.get(0).getScheme().equals("ldaps")) {
            if (wanted.isPresent()) {
                var unused = environment.wrong(ENCRYPTION, "left out for ldaps:// addresses, which are encrypted");
            }
        } else if (wanted.equals(Optional.of(UNENCRYPTED))
                && !urls.stream().map(ServerSettings::serverOf).allMatch(ServerSettings::isThisMachine)) {
            var unused = environment.wrong(
                    ENCRYPTION,
                    "start-tls, or left out: without encryption everybody on the way reads the passwords."
                            + " none is for servers of this machine; where the network itself encrypts, write"
                            + " none-on-the-network");
        }
    }

    static ServerSettings of(PluginEnvironment environment) {
        List<URI> urls = environment.get(URLS);
        List<Server> servers = urls.stream().map(ServerSettings::serverOf).toList();
        return new ServerSettings(
                servers,
                encryptionOf(environment, urls.get(0).getScheme()),
                TrustedCertificates.of(environment),
                environment.get(TIMEOUT),
                environment.get(CONNECT_TIMEOUT),
                Math.toIntExact(environment.get(MAX_CONNECTIONS)));
    }

    private static List<URI> urisOf(List<String> texts) {
        return texts.stream().map(ServerSettings::uriOf).toList();
    }

    private static URI uriOf(String text) {
        URI uri = URI.create(text.toLowerCase(Locale.ROOT));
        boolean isDirectory = "ldap".equals(uri.getScheme()) || "ldaps".equals(uri.getScheme());
        boolean isPlain = isDirectory
                && uri.getHost() != null
                && uri.getRawUserInfo() == null
                && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"))
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null;
        if (!isPlain) {
            throw new IllegalArgumentException(URL_RULE);
        }
        return uri;
    }

    private static Server serverOf(URI uri) {
        int usual = uri.getScheme().equals("ldaps") ? 636 : 389;
        String host = uri.getHost().startsWith("[")
                ? uri.getHost().substring(1, uri.getHost().length() - 1)
                : uri.getHost();
        return new Server(host, uri.getPort() < 0 ? usual : uri.getPort());
    }

    private static Encryption encryptionOf(PluginEnvironment environment, String scheme) {
        if (scheme.equals("ldaps")) {
            return Encryption.LDAPS;
        }
        return environment.find(ENCRYPTION).orElse(START_TLS).equals(START_TLS)
                ? Encryption.START_TLS
                : Encryption.NONE;
    }

    private static boolean isThisMachine(Server server) {
        try {
            return InetAddress.getByName(server.host()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
