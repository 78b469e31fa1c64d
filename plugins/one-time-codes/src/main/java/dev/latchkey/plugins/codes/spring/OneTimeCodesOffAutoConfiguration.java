package dev.latchkey.plugins.codes.spring;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.core.env.Environment;

/** Says at the start that nobody is asked for a code, where {@code latchkey.enabled=false} has switched that off with all the rest. */
@AutoConfiguration
@ConditionalOnProperty(name = "latchkey.enabled", havingValue = "false")
public final class OneTimeCodesOffAutoConfiguration {

    private static final Logger LOG = System.getLogger(OneTimeCodesOffAutoConfiguration.class.getName());

    OneTimeCodesOffAutoConfiguration(Environment service) {
        String enabled = OneTimeCodesProperties.PREFIX + ".enabled";
        if (service.containsProperty(OneTimeCodesProperties.PREFIX + ".key-file")
                && service.getProperty(enabled, Boolean.class, true)) {
            LOG.log(
                    Level.WARNING,
                    "latchkey.enabled=false: nobody is asked for a one-time code, and a password alone lets everybody in who has"
                            + " enrolled. Where that is meant, set " + enabled + "=false");
        }
    }
}
