package dev.latchkey.auth.spring.encoding;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Logs at the start that the service's own encoder replaces the encoder of the properties. */
final class OwnEncoderNotice implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(OwnEncoderNotice.class);

    private final ListableBeanFactory beans;
    private final PasswordProperties properties;

    OwnEncoderNotice(ListableBeanFactory beans, PasswordProperties properties) {
        this.beans = beans;
        this.properties = properties;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (!beans.containsBean(LatchkeyPasswordAutoConfiguration.ENCODER)) {
            LOG.warn(
                    "latchkey.password.encoding={} is not used, as the service has a password encoder of its own: {}",
                    properties.encoding(),
                    List.of(beans.getBeanNamesForType(PasswordEncoder.class, true, false)));
        }
    }
}
