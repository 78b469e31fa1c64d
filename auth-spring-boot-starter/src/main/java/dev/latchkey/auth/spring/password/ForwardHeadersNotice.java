package dev.latchkey.auth.spring.password;

import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Warns at the start if the web server reads the client IP from a header field before Latchkey, by its own rules.
 *
 * <p>{@code server.forward-headers-strategy=native} has this effect, and Boot chooses this value by itself on
 * Kubernetes. Jetty and Undertow take the left-most address, which any client can write. Tomcat trusts every private
 * address, and {@code server.tomcat.remoteip.remote-ip-header} or {@code protocol-header} has the same effect with each
 * strategy. On Netty, Latchkey reads the address of the connection itself.
 */
final class ForwardHeadersNotice {

    private static final Logger LOG = LoggerFactory.getLogger(ForwardHeadersNotice.class);

    private static final String STRATEGY = "server.forward-headers-strategy";
    private static final String PROXIES_OF_TOMCAT = "server.tomcat.remoteip.internal-proxies";

    /** Each of these properties makes Boot add the valve for the client IP. */
    private static final List<String> HEADERS_OF_TOMCAT =
            List.of("server.tomcat.remoteip.remote-ip-header", "server.tomcat.remoteip.protocol-header");

    private final Environment environment;
    private final BeanFactory beans;

    ForwardHeadersNotice(Environment environment, BeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    /**
     * @param namesProxies whether the service names its trusted proxies
     */
    void log(boolean namesProxies) {
        String strategy = nativeStrategy();
        for (String server : List.of("jetty", "undertow")) {
            if (!strategy.isEmpty() && has(server)) {
                LOG.warn(
                        "{} reads the client IP from the left-most address of X-Forwarded-For, which any client can write ({}). So a"
                                + " client has as many failed logins as it likes. Write {}=none: latchkey.guard.trusted-proxies decides"
                                + " about the client IP",
                        server.substring(0, 1).toUpperCase(Locale.ROOT) + server.substring(1),
                        strategy,
                        STRATEGY);
            }
        }
        String header = HEADERS_OF_TOMCAT.stream()
                .filter(property -> StringUtils.hasText(environment.getProperty(property)))
                .findFirst()
                .orElse("");
        boolean isRead = !header.isEmpty() || !strategy.isEmpty();
        if (isRead && has("tomcat") && namesProxies && !environment.containsProperty(PROXIES_OF_TOMCAT)) {
            LOG.warn(
                    "Tomcat reads the client IP from a header field before Latchkey, and believes every private address ({})."
                            + " So a client with a private address can choose its client IP. Name the trusted proxies in {} too,"
                            + " or {}",
                    header.isEmpty() ? strategy : header,
                    PROXIES_OF_TOMCAT,
                    header.isEmpty() ? "write " + STRATEGY + "=none" : "remove " + header);
        }
    }

    private boolean has(String server) {
        return beans.containsBean(server + "ServletWebServerFactory")
                || beans.containsBean(server + "ReactiveWebServerFactory");
    }

    /** Why the strategy is native; empty if the strategy is another. */
    private String nativeStrategy() {
        String strategy = environment.getProperty(STRATEGY);
        if (strategy != null) {
            return strategy.equalsIgnoreCase("native") ? STRATEGY + "=native" : "";
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders() ? "as Boot sets on " + platform : "";
    }
}
