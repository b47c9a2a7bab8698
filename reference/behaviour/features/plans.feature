Feature: Actions and plans that many use at once
  The plan service without a database keeps actions and plans in two maps.
  Whatever callers do at the same time, what one was told is done stays done.

  Background:
    Given a plan service in memory

  @buggy:lost-action
  Scenario: Two callers create an action of the same name
    When two callers create the action "ops/patch", and both look before either writes
    Then one of them was refused because it is a duplicate
    And the action that was created is kept

  @buggy:lost-update
  Scenario: An action is archived while it is published
    Given the draft action "ops/patch"
    When one caller archives and one publishes it, and both look before either writes
    Then the action "ops/patch" is archived

  @buggy:lost-update
  Scenario: Two workers start the same phase of a plan
    Given a plan of the action "ops/patch"
    When two workers start its phase, and both look before either writes
    Then one of them was refused because it is not ready

  @buggy:race-report
  Scenario: Actions are created and used by two goroutines
    When the program "plans" runs under the race detector
    Then it reports no race in "plan"

  Scenario: What the service returns is a copy
    Given a plan of the action "ops/patch"
    When the caller changes all that the service returned
    Then the service returns what it returned before

  Scenario Outline: What does not exist is refused
    When a caller asks to <request> what does not exist
    Then it is refused because it is unknown

    Examples:
      | request        |
      | get the action |
      | get the plan   |
      | publish        |
      | archive        |
      | use            |

  Scenario Outline: An action is found by its name, however it is written
    Given a plan of the action "ops/patch-hosts"
    When an action is asked for as "<name>"
    Then the action is "ops/patch-hosts"

    Examples:
      | name            |
      | ops/patch-hosts |
      | Ops/Patch_Hosts |
      |  OPS/patch hosts |
