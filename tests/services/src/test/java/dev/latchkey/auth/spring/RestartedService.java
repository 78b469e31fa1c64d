package dev.latchkey.auth.spring;

import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.endpoint.LatchkeyLoginEndpointsAutoConfiguration;
import dev.latchkey.auth.spring.limits.LatchkeyGuardWebAutoConfiguration;
import dev.latchkey.auth.spring.login.LatchkeyLoginAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyEncodersAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.servlet.LatchkeyWebAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.throttle.spring.LatchkeyThrottleAutoConfiguration;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.ServletWebServerFactoryAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A service with a start, each use of Latchkey, and an end; {@link RestartProbe} runs the service. */
@Configuration(proxyBeanMethods = false)
@Import(Services.Accounts.class)
@ImportAutoConfiguration({
    ServletWebServerFactoryAutoConfiguration.class,
    DispatcherServletAutoConfiguration.class,
    HttpMessageConvertersAutoConfiguration.class,
    WebMvcAutoConfiguration.class,
    SecurityAutoConfiguration.class,
    SecurityFilterAutoConfiguration.class,
    LatchkeyAutoConfiguration.class,
    LatchkeyEncodersAutoConfiguration.class,
    LatchkeyGuardAutoConfiguration.class,
    LatchkeyGuardWebAutoConfiguration.class,
    LatchkeyJwtAutoConfiguration.class,
    LatchkeyLoginAutoConfiguration.class,
    LatchkeyLoginEndpointsAutoConfiguration.class,
    LatchkeyThrottleAutoConfiguration.class,
    LatchkeyWebAutoConfiguration.class
})
class RestartedService {

    private static final int LIMIT_MILLIS = 30_000;

    private RestartedService() {}

    static void run(String keyFile) throws IOException {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(RestartedService.class)
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn",
                        "latchkey.guard.max-wait=60s",
                        "latchkey.jwt.secret=file:" + keyFile,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=true",
                        "latchkey.throttle.all.paths=/**",
                        "latchkey.throttle.all.global.tokens=1000")
                // The JVM keeps this hook, and so the class loader of the calling thread.
                .registerShutdownHook(false)
                .run()) {
            String base = "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
            String login =
                    Base64.getEncoder().encodeToString(("alice:" + Services.PASSWORD).getBytes(StandardCharsets.UTF_8));
            requireOk(base + "/hello", "Basic " + login, null);
            requireOk(base + "/auth/token", null, Services.LOGIN);
            String token = context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)));
            requireOk(base + "/hello", "Bearer " + token, null);
        }
    }

    private static void requireOk(String url, String authorization, String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setConnectTimeout(LIMIT_MILLIS);
        connection.setReadTimeout(LIMIT_MILLIS);
        connection.setRequestProperty("Connection", "close");
        if (authorization != null) {
            connection.setRequestProperty("Authorization", authorization);
        }
        if (body != null) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            throw new IOException(url + " answered " + connection.getResponseCode());
        }
    }
}
