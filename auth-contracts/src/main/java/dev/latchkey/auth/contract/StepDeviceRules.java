package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Devices that are remembered, each for one account. */
interface StepDeviceRules extends Rules<LoginStep> {

    private LoginStepContract fixture() {
        return (LoginStepContract) trial().fixture();
    }

    private static Object knows(LoginStep step, String input, Authenticated login, RequestContext request)
            throws Exception {
        return Calls.answerOrOutage(input, () -> step.knowsDevice(login, request));
    }

    private static void assertUnknown(LoginStep step, String input, Authenticated login, RequestContext request)
            throws Exception {
        assertNotEquals(true, knows(step, input, login, request), () -> "knows the device of " + input);
    }

    @Test
    default void requestWithoutToken_isFromNoKnownDevice() throws Exception {
        LoginStep step = trial().open();
        assertUnknown(step, "a request without a token", fixture().login(), RequestContext.none());
        for (List<String> values : Hostile.headerValues()) {
            assertUnknown(
                    step,
                    "the header values " + Hostile.shown(values),
                    fixture().login(),
                    RequestContext.of(name -> values, Optional::empty));
        }
        remembered(step, fixture().login());
        assertUnknown(
                step,
                "a request without a token, after a device was remembered",
                fixture().login(),
                RequestContext.none());
    }

    @Test
    default void device_isKnownByItsToken_forItsAccountAlone() throws Exception {
        LoginStep step = trial().open();
        Optional<RememberedDevice> device = remembered(step, fixture().login());
        if (device.isEmpty()) {
            return;
        }
        Secret token = fixture().seen(device.get().token());
        RequestContext request = request(token);
        assertTrue(
                Boolean.TRUE.equals(knows(step, "the device's token", fixture().login(), request)),
                "does not know the device that it remembered");
        assertUnknown(step, "a device of another account", fixture().otherLogin(), request);
        Authenticated login = fixture().login();
        String id = "another-source:" + login.subject().id();
        assertUnknown(
                step,
                "a device of the same name at another source",
                login.withSubject(login.subject().withId(id)),
                request);
        for (Map.Entry<String, Secret> damaged : damaged(token).entrySet()) {
            assertUnknown(step, "the token " + damaged.getKey(), login, request(damaged.getValue()));
        }
        remembered(step, fixture().otherLogin());
        assertUnknown(
                step,
                "a device of another account, which has one of its own",
                fixture().otherLogin(),
                request);
        Trial.close(step);
        assertUnknown(step, "the device's token after close()", login, request);
    }

    private static Map<String, Secret> damaged(Secret token) {
        Map<String, Secret> all = new LinkedHashMap<>();
        NearlyRight.of(Variants.textOf(token)).forEach((name, text) -> all.put(name, Secret.of(text)));
        return all;
    }

    private RequestContext request(Secret token) throws Exception {
        return fixture()
                .requestFromDevice(token)
                .orElseGet(() -> fail("the plugin remembers devices: override requestFromDevice()"));
    }

    private static Optional<RememberedDevice> remembered(LoginStep step, Authenticated login) throws Exception {
        return Calls.answer("remember", () -> step.remember(login, RequestContext.none()));
    }

    @Test
    default void tokenOfADevice_isNeverPrinted() throws Exception {
        Printed printed = new Printed();
        printed.listenWhile(() -> {
            LoginStep step = trial().open();
            Optional<RememberedDevice> device = remembered(step, fixture().login());
            printed.add(step, device);
            if (device.isPresent()) {
                Secret token = fixture().seen(device.get().token());
                printed.add(knows(step, "the device's token", fixture().login(), request(token)), step);
            }
        });
        printed.assertWithout(fixture().secrets(), "while a device was remembered");
    }
}
