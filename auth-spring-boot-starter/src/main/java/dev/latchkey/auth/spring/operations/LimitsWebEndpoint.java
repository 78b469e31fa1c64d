package dev.latchkey.auth.spring.operations;

import java.util.Map;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/** The change of {@link LimitsEndpoint} over HTTP, where the caller has a name. JMX would show the caller as one more field to fill in. */
@EndpointWebExtension(endpoint = LimitsEndpoint.class)
final class LimitsWebEndpoint {

    private final LimitsEndpoint endpoint;

    LimitsWebEndpoint(LimitsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @WriteOperation
    Map<String, Object> changeLimit(
            SecurityContext caller, @Selector String bucket, @Nullable Integer window, Long tokens, String per) {
        return endpoint.change(caller, bucket, window, tokens, per);
    }
}
