package dev.latchkey.auth.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Gives a test's context what Latchkey has in the service, and what a test needs in place of keys, clocks and stores.
 *
 * <p>Beside a slice of Spring Boot's, {@code @WebMvcTest} or {@code @WebFluxTest}, it brings the starter's filters, endpoints and plugins, which
 * the slice leaves out; beside {@code @SpringBootTest} they are there anyway. In both cases the context has
 *
 * <ul>
 *   <li>a random signing key of its own, unless the service defines one as a bean: no key file is read,
 *   <li>a {@link TestClock} that stands still, by which tokens, logins and limits end,
 *   <li>revocations and logins in memory, whatever the service has configured,
 *   <li>a {@link TestTokens} bean.
 * </ul>
 *
 * <p>Before each test method the clock tells the present again, revocations and logins are forgotten, and nobody has failed to log
 * in yet; the context stays as it is. So tests that share a context must not run at the same time.
 *
 * <p>Refused logins are answered at once instead of a second later. Set {@code latchkey.guard.refusals.delay} among the test's own
 * properties to have that back.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(
        properties = {
            "latchkey.jdbc.enabled=false",
            "latchkey.redis.enabled=false",
            "latchkey.guard.shared.enabled=false",
            "latchkey.guard.refusals.delay=0"
        })
public @interface AutoConfigureLatchkeyTest {}
