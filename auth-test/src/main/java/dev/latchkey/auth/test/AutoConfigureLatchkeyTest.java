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
 * Adds Latchkey to a test's context, and replaces keys, clocks and stores for the test.
 *
 * <p>With a slice of Spring Boot, {@code @WebMvcTest} or {@code @WebFluxTest}, this annotation adds the starter's
 * filters, endpoints and plugins. {@code @SpringBootTest} already has them. In both cases the context has
 *
 * <ul>
 *   <li>a random signing key, unless the service defines a key as a bean: no key file is read,
 *   <li>a {@link TestClock} that stands still, for the expiry of tokens, sessions and limits,
 *   <li>revocations and sessions in memory, whatever the service has configured,
 *   <li>limits and throttles of this process alone, even if the nodes of the service share them,
 *   <li>a {@link TestTokens} bean.
 * </ul>
 *
 * <p>Before each test method the clock is set to the present, and revocations, sessions, failed logins and cached
 * credentials, roles, API keys and accounts are cleared. The context itself stays. Tests with a shared context must not
 * run at the same time.
 *
 * <p>Rejected logins are answered at once instead of after a second. Set {@code latchkey.guard.refusals.delay} among
 * the test's own properties to restore the delay.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(
        properties = {"latchkey.store=memory", "latchkey.guard.shared.enabled=false", "latchkey.guard.refusals.delay=0"
        })
public @interface AutoConfigureLatchkeyTest {}
