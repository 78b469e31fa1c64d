package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.servlet.server.ServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Whatever a service lets its server or Spring do with forwarding headers, no client chooses its address for the limits. */
@ExtendWith(OutputCaptureExtension.class)
class ForwardedAddressesTest {

    enum Server {
        TOMCAT,
        TOMCAT_FOR_WEBFLUX,
        NETTY
    }

    private static final String NATIVE = "--server.forward-headers-strategy=native";
    private static final String FRAMEWORK = "--server.forward-headers-strategy=framework";
    private static final String KUBERNETES = "--spring.main.cloud-platform=kubernetes";
    private static final String NO_PROXY = "--latchkey.guard.trusted-proxies=none";

    static Stream<Arguments> strategies() {
        return Stream.of(Server.values())
                .flatMap(type -> Stream.of("--server.forward-headers-strategy=none", NATIVE, FRAMEWORK, KUBERNETES)
                        .map(strategy -> Arguments.of(type, strategy)));
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void clientBehindATrustedProxy_isTheAddressThatTheProxyAdded(Server type, String strategy) throws Exception {
        try (GuardServer server = start(type, strategy)) {
            for (int i = 0; i < 5; i++) {
                assertThat(guess(server, i, chosen(i) + ", " + added(i))).isEqualTo(401);
            }
            assertThat(guess(server, 5, chosen(5) + ", " + added(5))).isEqualTo(429);
            assertThat(guess(server, 6, chosen(6) + ", 203.0.113.8")).isEqualTo(401);
        }
    }

    /** Tomcat's own valve believes a private address, as the notice at the start says. */
    static Stream<Arguments> strategiesWithoutAProxy() {
        return Stream.of(
                Arguments.of(Server.TOMCAT, "--server.forward-headers-strategy=none"),
                Arguments.of(Server.TOMCAT, FRAMEWORK),
                Arguments.of(Server.TOMCAT_FOR_WEBFLUX, FRAMEWORK),
                Arguments.of(Server.NETTY, NATIVE),
                Arguments.of(Server.NETTY, FRAMEWORK),
                Arguments.of(Server.NETTY, KUBERNETES));
    }

    @ParameterizedTest
    @MethodSource("strategiesWithoutAProxy")
    void clientWithoutAProxy_isTheAddressOfTheConnection(Server type, String strategy) throws Exception {
        try (GuardServer server = start(type, strategy, NO_PROXY)) {
            for (int i = 0; i < 5; i++) {
                assertThat(guess(server, i, chosen(i))).isEqualTo(401);
            }
            assertThat(guess(server, 5, chosen(5))).isEqualTo(429);
        }
    }

    @Test
    void tomcatThatReadsTheHeaderItself_isNamedInTheLog_untilItsProxiesAreNamed(CapturedOutput output)
            throws Exception {
        try (GuardServer server = start(Server.TOMCAT, KUBERNETES, NO_PROXY)) {
            for (int i = 0; i < 6; i++) {
                assertThat(guess(server, i, chosen(i)))
                        .as("a private client chooses")
                        .isEqualTo(401);
            }
        }
        assertThat(output)
                .contains("Tomcat reads the client IP from a header field before Latchkey, and believes every private"
                        + " address (as Boot sets on KUBERNETES).");
        int before = output.getAll().length();
        try (GuardServer server = start(
                Server.TOMCAT, KUBERNETES, NO_PROXY, "--server.tomcat.remoteip.internal-proxies=10\\.0\\.0\\.9")) {
            for (int i = 0; i < 5; i++) {
                assertThat(guess(server, i, chosen(i))).isEqualTo(401);
            }
            assertThat(guess(server, 5, chosen(5))).isEqualTo(429);
        }
        assertThat(output.getAll().substring(before)).doesNotContain("before Latchkey");
    }

    /** Each property makes Boot add Tomcat's valve, whatever the strategy is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "server.tomcat.remoteip.remote-ip-header=x-forwarded-for",
                "server.tomcat.remoteip.protocol-header=x-forwarded-proto"
            })
    void tomcatWithAHeaderOfItsOwn_isNamedInTheLog(String property, CapturedOutput output) throws Exception {
        String none = "--server.forward-headers-strategy=none";
        try (GuardServer server = start(Server.TOMCAT, none, NO_PROXY, "--" + property)) {
            for (int i = 0; i < 6; i++) {
                assertThat(guess(server, i, chosen(i)))
                        .as("a private client chooses")
                        .isEqualTo(401);
            }
        }
        assertThat(output)
                .contains("Tomcat reads the client IP from a header field before Latchkey")
                .contains("(" + property.replaceFirst("=.*", "") + ").");
    }

    /** Jetty is not here: the notice goes by the name of Boot's bean. */
    @Test
    void serverThatTakesTheLeftmostAddress_isNamedInTheLog(CapturedOutput output) {
        GuardServer.start(WithJettysName.class, NATIVE).close();
        assertThat(output)
                .contains("Jetty reads the client IP from the left-most address of X-Forwarded-For, which any client"
                        + " can write (server.forward-headers-strategy=native).");
        int before = output.getAll().length();
        GuardServer.start(WithJettysName.class, "--server.forward-headers-strategy=none")
                .close();
        assertThat(output.getAll().substring(before)).doesNotContain("left-most");
    }

    private static GuardServer start(Server type, String... arguments) {
        return GuardServer.start(
                type == Server.TOMCAT ? WebApplicationType.SERVLET : WebApplicationType.REACTIVE,
                type == Server.NETTY ? WithNetty.class : Service.class,
                Stream.concat(
                                Stream.of(arguments),
                                List.of(
                                        "--spring.security.user.name=alice",
                                        "--spring.security.user.password={noop}" + Services.PASSWORD)
                                        .stream())
                        .toArray(String[]::new));
    }

    private static String chosen(int number) {
        return "198.51.100." + number;
    }

    /** Some proxies add the port of the client too. */
    private static String added(int number) {
        return number % 2 == 0 ? "203.0.113.7" : "203.0.113.7:" + (40_000 + number);
    }

    private static int guess(GuardServer server, int number, String forwarded) throws Exception {
        return server.get("/any", "alice", "guess-" + number, forwarded).statusCode();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {}

    /** Boot would choose Tomcat, since both are here. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithNetty {

        @Bean
        NettyReactiveWebServerFactory nettyReactiveWebServerFactory() {
            return new NettyReactiveWebServerFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithJettysName {

        @Bean
        ServletWebServerFactory jettyServletWebServerFactory() {
            return new TomcatServletWebServerFactory(0);
        }
    }
}
