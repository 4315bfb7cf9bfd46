package io.arbitration.platform.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.limits.ByteBudget.Allocation;
import io.arbitration.platform.limits.ByteBudget.Owner;
import io.arbitration.platform.limits.ByteBudget.Reservation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {

    private static final Owner GREEDY = new Owner("greedy", true);
    private static final Owner MODEST = new Owner("modest", true);
    private static final Owner STRANGER = new Owner("192.0.2.1", false);

    private final ByteBudget budget = new ByteBudget(new ByteBudget.Bounds(100, 60, 20));
    private final List<String> givenUp = new ArrayList<>();

    private Allocation open(Owner owner, String name) {
        return budget.open(owner, () -> givenUp.add(name));
    }

    @Test
    void whoHasItsShareIsRefusedMore() {
        assertThat(open(GREEDY, "first").reserve(59)).isEqualTo(Reservation.HELD);
        assertThat(budget.isUsedUp(GREEDY)).isFalse();
        assertThat(open(GREEDY, "second").reserve(2)).isEqualTo(Reservation.SHARE_USED_UP);
        assertThat(open(GREEDY, "third").reserve(1)).isEqualTo(Reservation.HELD);
        assertThat(budget.isUsedUp(GREEDY)).isTrue();
        assertThat(open(STRANGER, "page").reserve(15)).isEqualTo(Reservation.HELD);
        assertThat(open(STRANGER, "page").reserve(6)).isEqualTo(Reservation.SHARE_USED_UP);
        assertThat(budget.held()).isEqualTo(75);
        assertThat(givenUp).isEmpty();
    }

    @Test
    void theOnlyThingOfAnOwnerMayBeLargerThanItsShare() {
        assertThat(open(STRANGER, "large").reserve(90)).isEqualTo(Reservation.HELD);
        assertThat(budget.isUsedUp(STRANGER)).isTrue();
    }

    @Test
    void whenAllIsHeldTheLargestOfWhoHoldsMostIsGivenUp() {
        open(GREEDY, "small").reserve(10);
        Allocation large = open(GREEDY, "large");
        large.reserve(50);
        open(MODEST, "modest").reserve(35);
        assertThat(open(STRANGER, "page").reserve(15)).isEqualTo(Reservation.HELD);
        assertThat(givenUp).containsExactly("large");
        assertThat(large.isClosed()).isTrue();
        assertThat(budget.held()).isEqualTo(60);
    }

    @Test
    void whoHoldsMostIsRefusedWhenAllIsHeldAndWhatIsKeptIsNotGivenUp() {
        Allocation most = open(GREEDY, "most");
        most.reserve(55);
        open(MODEST, "modest").reserve(40);
        assertThat(open(GREEDY, "of the greedy one").reserve(5)).isEqualTo(Reservation.HELD);
        assertThat(open(MODEST, "more").reserve(10)).isEqualTo(Reservation.HELD);
        assertThat(givenUp).containsExactly("most");
        Allocation kept = open(GREEDY, "kept");
        kept.reserve(45);
        kept.pin();
        assertThat(open(STRANGER, "page").reserve(1)).isEqualTo(Reservation.HELD);
        assertThat(givenUp).as("the greedy caller's other one").containsExactly("most", "of the greedy one");
    }

    @Test
    void whatMustBeHeldTakesTheRoomOfWhatIsOlderOfTheSameOwner() {
        open(GREEDY, "oldest").reserve(30);
        open(GREEDY, "older").reserve(20);
        Allocation newest = open(GREEDY, "newest");
        newest.reserveEvictingOwn(25);
        assertThat(givenUp).containsExactly("oldest");
        assertThat(budget.held()).isEqualTo(45);
        open(MODEST, "modest").reserveEvictingOwn(90);
        assertThat(givenUp).as("of whoever holds less nothing is given up").containsExactly("oldest");
        assertThat(budget.held()).isEqualTo(135);
    }

    @Test
    void whatIsClosedTwiceIsGivenBackOnce() {
        Allocation one = open(GREEDY, "one");
        one.reserve(10);
        one.release(4);
        assertThat(budget.held()).isEqualTo(6);
        one.reserveUnchecked(4);
        one.close();
        one.close();
        one.release(5);
        one.reserveUnchecked(5);
        assertThat(one.reserve(1)).isEqualTo(Reservation.NODE_FULL);
        assertThat(budget.held()).isZero();
        assertThat(budget.isUsedUp(GREEDY)).isFalse();
    }

    /** However many callers an organization makes: others are not given up for them, and they are for others. */
    @Test
    void theCallersOfOneTenantTogetherHaveNoMoreThanIsFreeAndGiveWayToOthers() {
        ByteBudget budget = new ByteBudget(new ByteBudget.Bounds(100, 20, 10));
        List<String> givenUp = new ArrayList<>();
        int held = 0;
        for (int i = 0; i < 10; i++) {
            held += budget.open(new Owner("client " + i, true, "organization"), () -> givenUp.add("client")).reserve(10) == Reservation.HELD ? 10 : 0;
        }
        assertThat(held).isEqualTo(50);
        assertThat(budget.open(new Owner("user 1", true), () -> givenUp.add("user")).reserve(40)).isEqualTo(Reservation.HELD);
        assertThat(budget.open(new Owner("user 2", true), () -> givenUp.add("user")).reserve(20)).isEqualTo(Reservation.HELD);
        assertThat(givenUp).containsExactly("client");
        assertThat(budget.held()).isEqualTo(100);
    }

    /** Whoever has much worked on is refused, and not the others, of whom nothing could be given up. */
    @Test
    void nobodyKeepsMoreThanWhatAllLeaveUnkept() {
        for (Owner each : List.of(GREEDY, MODEST, new Owner("third", true))) {
            while (keeps(each, 5)) {
                continue;
            }
        }
        assertThat(budget.held()).as("50, 25 and 10").isEqualTo(85);
        assertThat(keeps(GREEDY, 1)).isFalse();
        assertThat(keeps(MODEST, 1)).isFalse();
        assertThat(keeps(STRANGER, 12)).isTrue();
        assertThat(givenUp).isEmpty();
    }

    private boolean keeps(Owner owner, long bytes) {
        Allocation whole = open(owner, "whole");
        if (whole.reserve(bytes) == Reservation.HELD && whole.pin()) {
            return true;
        }
        whole.close();
        return false;
    }

    @Test
    void whatIsKeptIsGivenBackWhenItIsClosed() {
        for (int i = 0; i < 3; i++) {
            Allocation first = open(GREEDY, "first");
            first.reserve(50);
            assertThat(first.pin()).isTrue();
            Allocation second = open(GREEDY, "second");
            second.reserve(5);
            assertThat(second.pin()).as("beside the first").isFalse();
            first.close();
            assertThat(second.pin()).as("alone").isTrue();
            second.close();
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void nothingIsGivenUpInVain() {
        open(GREEDY, "greedy").reserve(30);
        Allocation kept = open(GREEDY, "kept");
        kept.reserve(30);
        assertThat(kept.pin()).isTrue();
        Allocation other = open(MODEST, "other");
        other.reserve(40);
        assertThat(open(STRANGER, "large").reserve(85)).as("more than what may be given up").isEqualTo(Reservation.NODE_FULL);
        assertThat(givenUp).isEmpty();
        Allocation shared = open(GREEDY, "shared");
        assertThat(givenUp).isEmpty();
        kept.close();
        shared.reserve(30);
        shared.sharedBytes(29);
        assertThat(open(STRANGER, "page").reserve(10)).isEqualTo(Reservation.HELD);
        assertThat(givenUp).as("what others hold as well would not be freed").containsExactly("greedy");
    }
}
